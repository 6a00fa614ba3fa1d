"""Runs side by side, and the choices that the walks do not make: population, certificate, audit, reading."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import expect

from shoal.io.example import people
from shoal.io.write import write_frame
from support.tab import Tab

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "everybody.csv"
    write_frame(people(1_500).select("sex", "marital_status", "job", "diagnosis"), path)
    return path


@pytest.fixture(scope="module")
def sample(everybody: Path) -> Path:
    """A third of everybody."""
    path = everybody.with_name("sample.csv")
    write_frame(pl.read_csv(everybody).head(500), path)
    return path


def open_sample(tab: Tab, sample: Path) -> None:
    tab.open_table(sample)
    expect(tab.page.get_by_text("are unique on")).to_be_visible()
    for column, role in {"sex": "quasi-identifier", "marital_status": "quasi-identifier", "job": "other"}.items():
        tab.choose(f"Role of {column}", role)
    expect(tab.page.get_by_text("unique on sex and marital_status.")).to_be_visible()
    tab.go("Privacy models")
    tab.press("Remove frequency 2.2-diversity")  # which one sensitive column begins with
    expect(tab.page.get_by_text("5-anonymity by")).to_be_visible()


def test_runs_are_compared_renamed_gone_back_to_and_removed(tab: Tab, sample: Path) -> None:
    page = tab.page
    open_sample(tab, sample)
    tab.run("first")
    tab.go("Privacy models")
    tab.say("Value of k", "20")
    expect(page.get_by_text("20-anonymity by")).to_be_visible()
    tab.run("second")
    rows = page.locator("#history tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("done, shown")
    smallest = [int(row.locator("td.num").nth(4).inner_text()) for row in rows.all()]
    assert smallest[0] >= 20 > smallest[1] >= 5
    tab.say("Name of first", "older")
    page.reload()
    expect(page.get_by_label("Name of older")).to_have_value("older")
    page.get_by_role("button", name="Restore the settings of older").click()
    expect(page.get_by_text("The settings of older are restored.")).to_be_visible()
    tab.go("Privacy models")
    expect(page.get_by_label("Value of k", exact=True)).to_have_value("5")
    tab.go("Other runs")
    expect(page.get_by_role("img", name="Runs by loss and highest risk")).to_be_visible()
    expect(page.locator("#two-runs")).to_contain_text("20-anonymity")
    tab.choose("Run", page.locator("#shown-run option", has_text="older").get_attribute("value") or "")
    tab.go("Utility")
    expect(page.get_by_role("heading", name="Two columns at a time")).to_be_visible()
    page.get_by_text("sex × marital_status").click()
    expect(page.get_by_role("img", name="sex by marital_status, original")).to_be_visible()
    tab.go("Risk")
    expect(page.get_by_role("heading", name="Smallest and least diverse classes")).to_be_visible()
    expect(page.get_by_text("Internal: computed with the original.").first).to_be_visible()
    tab.go("Runs")
    page.get_by_role("button", name="Remove second").click()
    tab.press("Keep it")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Remove second").click()
    tab.press("Remove the run")
    expect(rows).to_have_count(1)
    tab.press("Undo")
    expect(page.get_by_role("button", name="Show second")).to_be_visible()
    tab.press("Redo")
    expect(rows).to_have_count(1)


def test_a_population_is_uploaded_for_promises_that_count_people(
    tab: Tab, sample: Path, everybody: Path, tmp_path: Path
) -> None:
    page = tab.page
    open_sample(tab, sample)
    tab.add_protection("k-map", k="12")
    expect(page.get_by_role("heading", name="12-map")).to_be_visible()
    tab.press("Remove 5-anonymity")
    expect(page.get_by_role("heading", name="5-anonymity")).to_have_count(0)
    tab.open_expert()
    (tmp_path / "others.csv").write_text("a\n1\n")
    page.locator("#population-file").set_input_files(tmp_path / "others.csv")
    expect(page.locator("#verdict .alert")).to_contain_text("The population has no column 'sex'")
    page.locator("#population-file").set_input_files(everybody)
    expect(page.get_by_label("Population", exact=True)).to_have_value("everybody.csv")
    expect(page.get_by_text("12-map by")).to_be_visible()
    tab.run("map")
    tab.accept_findings()
    released = pl.read_csv(tab.download("release.csv", tmp_path))
    quasi = ["sex", "marital_status"]
    sizes, crowd = (pl.read_csv(path).group_by(quasi).len()["len"] for path in (sample, everybody))
    assert min(sizes) < 12 <= min(crowd)
    assert released.select(quasi).sort(quasi).equals(pl.read_csv(sample).select(quasi).sort(quasi))


def test_a_certificate_and_an_audit_can_be_asked_for(tab: Tab, sample: Path, tmp_path: Path) -> None:
    page = tab.page
    open_sample(tab, sample)
    tab.open_expert()
    tab.say("Certify the distance from the optimum (seconds)", "1")
    expect(page.locator("#verdict")).to_contain_text("A certificate needs nested cells")
    tab.choose("Recoding of sex", "suppress")
    tab.choose("Recoding of marital_status", "suppress")
    tab.choose("Audit", "usual")
    tab.choose("Refinement", "sequential, then search")
    expect(page.get_by_text("5-anonymity by")).to_be_visible()
    tab.run("certain")
    tab.go("Release")
    said = tab.download("job.toml", tmp_path).read_text("utf-8")
    for words in ('certify = "1s"', 'audit = "usual"', '"sequential"', '"search"'):
        assert words in said
    tab.go("Utility")
    expect(page.get_by_text(re.compile("This release is .*best possible"))).to_be_visible()


def test_a_table_is_read_as_it_is_told(tab: Tab, tmp_path: Path) -> None:
    """Both for a table that is there and for the next; what cannot be read so is said, and the table stays."""
    page = tab.page
    (tmp_path / "odd.csv").write_bytes("na|me;age\nJos\u00e9;?\nAnn;7\n".encode("cp1252"))
    tab.open_table(tmp_path / "odd.csv")
    expect(page.get_by_text("odd.csv: 2 rows, 2 columns")).to_be_visible()
    page.get_by_text("Import options").click()
    tab.choose("Field delimiter", "|")
    tab.say("Encoding", "no-such-thing")
    tab.press("Read the table again")
    expect(page.get_by_role("alert")).to_contain_text("no-such-thing")
    expect(page.get_by_text("odd.csv: 2 rows, 2 columns")).to_be_visible()
    tab.choose("Field delimiter", ";")
    tab.say("Encoding", "cp1252")
    tab.say("Marks of missing values, number 1", "?")
    tab.press("Read the table again")
    expect(page.locator("#rows")).to_contain_text("José")
    tab.open_table(tmp_path / "odd.csv")
    expect(page.get_by_label("Role of age", exact=True)).to_be_visible()
    row = page.locator("tr", has=page.get_by_label("Role of age", exact=True))
    expect(row.locator("td.num").nth(1)).to_have_text("1")


def test_trees_are_built_by_rules_exported_and_taken_back(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    rows = "".join(f"{age},{10_000 + 37 * age},2024-{1 + age % 12:02d}-11\n" for age in range(90))
    (tmp_path / "ages.csv").write_text(f"age,zip,seen\n{rows}")
    tab.open_table(tmp_path / "ages.csv")
    expect(page.get_by_text("are unique on")).to_be_visible()
    for column in ("age", "zip", "seen"):
        tab.choose(f"Role of {column}", "quasi-identifier")
    tab.choose("Type of zip", "nominal")
    tab.go("Hierarchies")
    expect(page.locator("#coverage")).to_contain_text("Every value has a place.")  # one was made automatically
    tab.press("No hierarchy")
    expect(page.locator("#coverage")).to_have_count(0)
    for place, cut in enumerate(("18", "65")):
        page.locator(f"#rule-cuts-{place}").fill(cut)
        page.locator(f"#rule-cuts-{place}").blur()
        expect(page.locator(f"#rule-cuts-{place + 1}")).to_be_visible()
    expect(page.locator("#histogram[data-drawn]")).to_have_attribute("data-cuts", "18 65")
    tab.press("Build")
    expect(page.locator("#coverage")).to_contain_text("Every value has a place. 5 levels, of 90, 3,")
    expect(page.locator("#histogram[data-drawn]")).to_have_attribute("data-cuts", "18 65")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Export").click()
    assert len(coming.value.path().read_text().splitlines()) == 90
    tab.press("Undo")
    expect(page.locator("#coverage")).to_have_count(0)
    for column, rule, words in (("zip", "mask", ""), ("seen", "dates", "month"), ("age", "fanout", "")):
        tab.choose("Column", column)
        expect(page.get_by_role("img", name=f"Rows by {column}")).to_be_visible()
        if page.locator("#none").count():
            tab.press("No hierarchy")
            expect(page.locator("#none")).to_have_count(0)
        tab.choose("Rule", rule)
        if words:
            tab.settle()
            page.locator(f"#rule-levels-{words}").uncheck()
        tab.press("Build")
        expect(page.locator("#coverage")).to_contain_text("Every value has a place.")


_DROP = """
([zone, files]) => {
  const dropped = new DataTransfer();
  for (const [name, text] of Object.entries(files)) dropped.items.add(new File([text], name));
  zone.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped }));
}
"""


def test_hierarchy_files_that_are_dropped_together_find_their_columns(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    values = {"sex": ["F", "M"], "town": ["Ulm", "Bonn"], "job": ["cook", "smith", "clerk"]}
    rows = "".join(f"{'FM'[i % 2]},{values['town'][i % 2]},{values['job'][i % 3]}\n" for i in range(60))
    (tmp_path / "people.csv").write_text(f"sex,town,job\n{rows}")
    tab.open_table(tmp_path / "people.csv")
    expect(page.get_by_label("Role of job", exact=True)).to_be_visible()
    for column in values:
        tab.choose(f"Role of {column}", "quasi-identifier")
    tab.go("Hierarchies")
    expect(page.locator("#trees")).to_be_visible()
    files = {f"my_hierarchy_{name}.csv": "".join(f"{one};any;*\n" for one in some) for name, some in values.items()}
    page.evaluate(_DROP, [page.locator("#trees").element_handle(), files])
    expect(page.get_by_text("3 hierarchies imported")).to_be_visible()
    for name in values:
        expect(page.locator("#column option", has_text=f"{name} ✓")).to_have_count(1)
    page.evaluate(_DROP, [page.locator("#trees").element_handle(), {**files, "hierarchy_shoe.csv": "1;*\n"}])
    expect(page.get_by_role("alert")).to_contain_text("No column matches hierarchy_shoe.csv")


def test_a_messy_table_is_put_right_by_buttons_and_its_people_are_counted(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    lines = ["patient_id;geburtsdatum;ort;gewicht"]
    for who in (visit % 50 for visit in range(120)):
        born, town = f"{who % 28 + 1:02d}.{who % 12 + 1:02d}.19{40 + who % 40}", ["Ulm", "Bonn"][who % 2]
        lines.append(f"P{who:04d};{born};{town};{60 + who},5")
    (tmp_path / "visits.csv").write_text("\n".join(lines) + "\n")
    tab.open_table(tmp_path / "visits.csv")
    expect(page.get_by_text("'geburtsdatum' holds dates written as day.month.year.")).to_be_visible()
    page.get_by_role("button", name="Convert the dates: geburtsdatum").click()
    expect(page.get_by_text("'geburtsdatum' holds dates written as")).to_be_hidden()
    expect(page.get_by_label("Type of geburtsdatum", exact=True)).to_have_value("date")
    page.get_by_role("button", name="Count people by this column: patient_id").click()
    expect(page.get_by_label("Role of patient_id", exact=True)).to_have_value("person")
    expect(page.get_by_role("button", name="Count people by this column: patient_id")).to_have_count(0)
    tab.press("Undo")
    expect(page.get_by_label("Role of patient_id", exact=True)).to_have_value("identifier")
    tab.press("Undo")
    expect(page.get_by_text("'geburtsdatum' holds dates written as")).to_be_visible()
    tab.press("Redo")
    expect(page.get_by_text("'geburtsdatum' holds dates written as")).to_be_hidden()
