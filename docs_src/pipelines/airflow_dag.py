"""Airflow: the commands as tasks; a task fails by its exit status, and the next one does not start."""

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import dag

FOLDER = "{{ var.value.get('shoal_folder', '.') }}"


@dag(schedule=None, catchup=False, tags=["privacy"])
def publish_people() -> None:
    publish = BashOperator(
        task_id="publish",
        bash_command="shoal run job.toml --json > run.json",  # a pipe would hide the exit status
        cwd=FOLDER,
    )
    check = BashOperator(
        task_id="check",
        bash_command="shoal verify release.csv --quasi age,sex --sensitive disease --k 5 --l 2 --json",
        cwd=FOLDER,
    )
    attack = BashOperator(
        task_id="attack",
        bash_command="shoal audit people.csv release.csv --quasi age,sex --sensitive disease --k 5 --json > audit.json",
        cwd=FOLDER,
    )
    publish >> check >> attack


publish_people()
