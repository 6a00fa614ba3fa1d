-- In a project: tests/release_is_5_anonymous.sql. dbt fails where a row comes back.
SELECT age, sex, count(*) AS records
FROM {{ ref('release') }}
GROUP BY age, sex
HAVING count(*) < 5
