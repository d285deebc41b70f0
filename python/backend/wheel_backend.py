"""Makes the wheel with the standard library alone (PEP 517, 660): python3 python/backend/wheel_backend.py FOLDER"""

import ast
import base64
import csv
import hashlib
import io
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SOURCE = HERE / "src"


def _project():
    """What pyproject.toml says of the project: each entry is a string or a list in one line, as Python would write it."""
    project, section = {}, ""
    for line in (HERE / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            project[f"{section}.{name.strip()}"] = ast.literal_eval(value.strip())
    return project


def _metadata():
    project = _project()
    extras = {name.rsplit(".", 1)[1]: value for name, value in project.items() if name.startswith("project.optional-dependencies.")}
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['project.name']}",
        f"Version: {project['project.version']}",
        f"Summary: {project['project.description']}",
        f"License: {project['project.license']}",
        f"Keywords: {','.join(project['project.keywords'])}",
        f"Requires-Python: {project['project.requires-python']}",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        *(f"Provides-Extra: {name}" for name in extras),
        *(f'Requires-Dist: {each}; extra == "{name}"' for name, wanted in extras.items() for each in wanted),
    ]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def _name():
    project = _project()
    return f"{project['project.name']}-{project['project.version']}"


def _write(folder, files):
    """A wheel of these files (path → bytes); returns its name. The same files give the same bytes."""
    info = f"{_name()}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": _metadata().encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: overround\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([path, f"sha256={digest}", len(data)])
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = record.getvalue().encode()
    name = f"{_name()}-py3-none-any.whl"
    Path(folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = sorted(path for path in (SOURCE / "overround").iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return _write(wheel_directory, {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in sources})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, {"_overround.pth": f"{SOURCE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the sources are the folder python/ of the project; there is a wheel")


if __name__ == "__main__":
    print(Path(sys.argv[1]) / build_wheel(sys.argv[1]))
