// Exchanges a key, reads all items, asks a question and shows what an error carries. Connect over HTTP/1.1.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"connectrpc.com/connect"
	authv1 "teammemory.example/gen/teammemory/auth/v1"
	"teammemory.example/gen/teammemory/auth/v1/authv1connect"
	commonv1 "teammemory.example/gen/teammemory/common/v1"
	contentv1 "teammemory.example/gen/teammemory/content/v1"
	"teammemory.example/gen/teammemory/content/v1/contentv1connect"
	queryv1 "teammemory.example/gen/teammemory/query/v1"
	"teammemory.example/gen/teammemory/query/v1/queryv1connect"
)

// credentials exchanges a key for the tokens of services, and keeps each until shortly before it expires.
type credentials struct {
	auth   authv1connect.AuthServiceClient
	key    string
	tokens map[string]*authv1.ExchangeCredentialResponse
}

func (c *credentials) authorize(ctx context.Context, audience string, header http.Header) error {
	token := c.tokens[audience]
	if token == nil || time.Until(token.ExpiresAt.AsTime()) < 10*time.Second {
		answer, err := c.auth.ExchangeCredential(ctx, connect.NewRequest(&authv1.ExchangeCredentialRequest{
			Credential: c.key, Audience: audience,
		}))
		if err != nil {
			return err
		}
		token = answer.Msg
		c.tokens[audience] = token
	}
	header.Set("authorization", "Bearer "+token.Token)
	return nil
}

func main() {
	url := os.Getenv("TEAM_MEMORY_RPC_URL")
	auth := authv1connect.NewAuthServiceClient(http.DefaultClient, url)
	content := contentv1connect.NewContentServiceClient(http.DefaultClient, url)
	query := queryv1connect.NewQueryServiceClient(http.DefaultClient, url)
	tokens := &credentials{auth, os.Getenv("TEAM_MEMORY_KEY"), map[string]*authv1.ExchangeCredentialResponse{}}
	// The deadline travels with every call.
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()

	cursor := ""
	for more := true; more; {
		request := connect.NewRequest(&contentv1.ListItemsRequest{
			Page: &commonv1.PageRequest{Cursor: cursor, Limit: 2}, Summary: true, Typed: true,
		})
		check(tokens.authorize(ctx, "content", request.Header()))
		answer, err := content.ListItems(ctx, request)
		check(err)
		for _, item := range answer.Msg.Items {
			fmt.Println("item", item.RowKey)
		}
		cursor, more = answer.Msg.Page.NextCursor, answer.Msg.Page.HasMore
	}

	question := connect.NewRequest(&queryv1.AskRequest{Question: "Which day is the release?"})
	check(tokens.authorize(ctx, "query", question.Header()))
	stream, err := query.Ask(ctx, question)
	check(err)
	for stream.Receive() {
		switch part := stream.Msg().Part.(type) {
		case *queryv1.AskResponse_Delta_:
			fmt.Println("text", part.Delta.Text)
		case *queryv1.AskResponse_Sources_:
			for _, source := range part.Sources.Sources {
				fmt.Println("source", source.RowKey)
			}
		}
	}
	check(stream.Err())

	missing := connect.NewRequest(&contentv1.GetItemRequest{RowKey: "no/such.md"})
	check(tokens.authorize(ctx, "content", missing.Header()))
	_, err = content.GetItem(ctx, missing)
	var refused *connect.Error
	if !errors.As(err, &refused) {
		log.Fatal("expected an error, got ", err)
	}
	for _, detail := range refused.Details() {
		value, err := detail.Value()
		check(err)
		if told, ok := value.(*commonv1.ErrorDetail); ok {
			fmt.Println("error", refused.Code(), told.Code)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
