# shoal with its kernels compiled, for machines without a network: no package is fetched and nothing is compiled at run time.
#   docker build -t shoal .
#   docker run --rm --network none -v "$PWD:/data" shoal anonymize people.csv --quasi age,zip --k 5 -o release.csv
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels -c constraints.txt .

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 steward
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels shoal && rm -rf /wheels
USER steward
RUN shoal warm-up
WORKDIR /data
ENTRYPOINT ["shoal"]
CMD ["--help"]
