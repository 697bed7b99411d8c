package dev.pitwall.lab.kube.container;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Runs commands in containers, and leads to what runs in them already. Safe for any number of threads. */
public interface ContainerShell {
    /** No container has a shell. */
    ContainerShell NONE = new ContainerShell() {
        @Override
        public Start exec(JsonNode pod, String container, List<String> command, Terminal terminal) {
            return new Start.Unserved();
        }

        @Override
        public Start attach(JsonNode pod, String container, Terminal terminal) {
            return new Start.Unserved();
        }
    };

    /** @param pod without {@code apiVersion} and {@code kind} */
    Start exec(JsonNode pod, String container, List<String> command, Terminal terminal);

    /** @param pod without {@code apiVersion} and {@code kind} */
    Start attach(JsonNode pod, String container, Terminal terminal);

    /** What the client's end is. */
    enum Terminal {
        /** Three streams. */
        NONE,
        /** A terminal in raw mode: errors come with the output, and whoever reads echoes. */
        RAW
    }

    /** What comes of it. */
    sealed interface Start {
        record Running(Session session) implements Start {
        }

        /** @param why in the words of the kubelet or the container runtime */
        record Refused(String why) implements Start {
        }

        /** Nothing in this lab can do it there. */
        record Unserved() implements Start {
        }
    }

    /** A process that has been started. */
    @FunctionalInterface
    interface Session {
        /**
         * Goes on until the process has ended, or the calling thread is interrupted.
         *
         * @return its exit status
         * @throws IOException the client has gone
         */
        int run(InputStream in, OutputStream out, OutputStream err) throws IOException;
    }
}
