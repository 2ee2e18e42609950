"""Exchanges a key, reads all items, asks a question and shows what an error carries. gRPC over HTTP/2."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen"))

import grpc
from grpc_status import rpc_status

from teammemory.auth.v1 import auth_pb2, auth_pb2_grpc
from teammemory.common.v1 import error_pb2, page_pb2
from teammemory.content.v1 import content_pb2, content_pb2_grpc
from teammemory.query.v1 import query_pb2, query_pb2_grpc

# Host and port; for TLS use grpc.secure_channel.
channel = grpc.insecure_channel(os.environ["TEAM_MEMORY_RPC"])
auth = auth_pb2_grpc.AuthServiceStub(channel)
content = content_pb2_grpc.ContentServiceStub(channel)
query = query_pb2_grpc.QueryServiceStub(channel)
# The deadline of every call, in seconds.
TIMEOUT = 30
tokens = {}


def authorization(audience):
    """Exchanges the key for a token of a service, and keeps it until shortly before it expires."""
    token = tokens.get(audience)
    if token is None or token.expires_at.ToSeconds() < time.time() + 10:
        request = auth_pb2.ExchangeCredentialRequest(credential=os.environ["TEAM_MEMORY_KEY"], audience=audience)
        token = tokens[audience] = auth.ExchangeCredential(request, timeout=TIMEOUT)
    return [("authorization", "Bearer " + token.token)]


cursor, more = "", True
while more:
    request = content_pb2.ListItemsRequest(
        page=page_pb2.PageRequest(cursor=cursor, limit=2), summary=True, typed=True
    )
    answer = content.ListItems(request, timeout=TIMEOUT, metadata=authorization("content"))
    for item in answer.items:
        print("item", item.row_key)
    cursor, more = answer.page.next_cursor, answer.page.has_more

question = query_pb2.AskRequest(question="Which day is the release?")
for answer in query.Ask(question, timeout=TIMEOUT, metadata=authorization("query")):
    if answer.WhichOneof("part") == "delta":
        print("text", answer.delta.text)
    else:
        for source in answer.sources.sources:
            print("source", source.row_key)

try:
    content.GetItem(
        content_pb2.GetItemRequest(row_key="no/such.md"), timeout=TIMEOUT, metadata=authorization("content")
    )
except grpc.RpcError as error:
    for packed in rpc_status.from_call(error).details:
        detail = error_pb2.ErrorDetail()
        if packed.Unpack(detail):
            print("error", error.code().name.lower(), detail.code)
