"""Calls methods over gRPC as a foreign client does, knowing nothing but what the server's reflection says.

Reads lines of JSON from standard input, {"method", "message", "token"}, and writes one for each,
{"code", "message"}. The first argument is the server's host and port.
"""

import json
import sys

import grpc
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

TIMEOUT_SECONDS = 20

channel = grpc.insecure_channel(sys.argv[1])
pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))


def call(method, message, token):
    service_name, method_name = method.split("/")
    if service_name == "grpc.health.v1.Health":
        request = health_pb2.HealthCheckRequest(service=message["service"])
        return health_pb2_grpc.HealthStub(channel).Check(request, timeout=TIMEOUT_SECONDS)
    found = pool.FindServiceByName(service_name).FindMethodByName(method_name)
    request = message_factory.GetMessageClass(found.input_type)()
    answer = message_factory.GetMessageClass(found.output_type)
    invoke = channel.unary_unary(
        f"/{method}",
        request_serializer=lambda value: value.SerializeToString(),
        response_deserializer=answer.FromString,
    )
    metadata = [("authorization", f"Bearer {token}")] if token else []
    return invoke(json_format.ParseDict(message, request), metadata=metadata, timeout=TIMEOUT_SECONDS)


for line in sys.stdin:
    asked = json.loads(line)
    try:
        message = call(asked["method"], asked["message"], asked.get("token"))
        answered = {"code": "ok", "message": json_format.MessageToDict(message)}
    except grpc.RpcError as error:
        answered = {"code": error.code().name.lower(), "message": {"detail": error.details()}}
    print(json.dumps(answered), flush=True)
