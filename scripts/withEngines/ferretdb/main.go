// FerretDB with its SQLite backend, for tests: `ferretdb FOLDER` listens on a free port of the loopback address, prints
// its connection string, and runs until it is killed. A program of our own
// since FerretDB's cannot be built as a module: it lacks the version file that only its releases have.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: ferretdb FOLDER")
	}
	errors := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:   "sqlite",
		// What it holds ends with the test: nothing waits for the disk.
		SQLiteURL: "file:" + os.Args[1] + "/?_pragma=synchronous(normal)",
		Logger:    errors,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() { fmt.Println(server.MongoDBURI()) }()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
