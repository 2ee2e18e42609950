"""Checks manifests against the definitions of custom resources: reads YAML from standard input, takes the folder of the
definitions as its argument, prints one line a fault, and ends with exit code 1 if there is any. Unknown members are faults.
Rules in CEL are not checked."""

import pathlib
import sys

import jsonschema
import yaml


def refuse_unknown(schema):
    """Closes every object that lists its members; the API server would silently drop the others."""
    if isinstance(schema, list):
        for one in schema:
            refuse_unknown(one)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
        for one in schema.values():
            refuse_unknown(one)


def read_schemas(folder):
    schemas = {}
    for file in pathlib.Path(folder).glob("*.yaml"):
        spec = yaml.safe_load(file.read_text())["spec"]
        for version in spec["versions"]:
            schema = version["schema"]["openAPIV3Schema"]
            # The top has `metadata` as any object; what is in it is the same for all kinds.
            refuse_unknown(schema["properties"])
            schema["additionalProperties"] = False
            schemas[f'{spec["group"]}/{version["name"]}', spec["names"]["kind"]] = schema
    return schemas


schemas = read_schemas(sys.argv[1])
faults = []
for manifest in yaml.safe_load_all(sys.stdin):
    kind = manifest["apiVersion"], manifest["kind"]
    if kind not in schemas:
        faults.append(f"no definition of {kind}")
        continue
    for error in jsonschema.Draft202012Validator(schemas[kind]).iter_errors(manifest):
        faults.append(f'{manifest["kind"]} {error.json_path}: {error.message}')
print("\n".join(faults), end="")
sys.exit(1 if faults else 0)
