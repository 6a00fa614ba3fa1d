# shoal with its kernels compiled, for machines without a network: no package is fetched and nothing is compiled at run time.
#   docker build -t shoal .
#   docker run --rm --network none --user "$(id -u):$(id -g)" -v "$PWD:/data" shoal \
#       anonymize people.csv --quasi age,zip --k 5 -o release.csv
# With --user, the release belongs to you, and shoal may write to your folder; the machine code can be read by any user.
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels -c constraints.txt .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels shoal && rm -rf /wheels
ENV NUMBA_CACHE_DIR=/opt/shoal
RUN mkdir /opt/shoal && shoal warm-up
RUN useradd --create-home --uid 10001 steward
USER steward
WORKDIR /data
ENTRYPOINT ["shoal"]
CMD ["--help"]
