module teammemory.example

go 1.26.0

require connectrpc.com/connect v1.21.1

require google.golang.org/protobuf v1.36.12

require buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go v1.36.12-20260825204119-511051f7f437.2

tool (
	connectrpc.com/connect/cmd/protoc-gen-connect-go
	google.golang.org/protobuf/cmd/protoc-gen-go
)
