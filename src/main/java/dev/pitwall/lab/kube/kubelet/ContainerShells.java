package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.ContainerShell;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.exec.Inside;
import dev.pitwall.lab.kube.exec.InsideSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs commands in the containers of all nodes. Errors are those of the kubelet, containerd and runc. */
final class ContainerShells implements ContainerShell {
    private static final long GLANCE_MILLIS = 100;
    private static final String NOT_STARTED = "Internal error occurred: error executing command in container: failed to"
            + " exec in container: failed to start exec \"%s\": OCI runtime exec failed: exec failed: unable to start"
            + " container process: exec: \"%s\": %s: unknown";

    private final Kubelets kubelets;
    private final Insides insides;
    private final TokenSource tokens;

    ContainerShells(Kubelets kubelets, Insides insides, TokenSource tokens) {
        this.kubelets = kubelets;
        this.insides = insides;
        this.tokens = tokens;
    }

    @Override
    public Start exec(JsonNode pod, String container, List<String> command, Terminal terminal) {
        return kubelets.locked(now -> running(pod, container).map(run -> exec(run, command, terminal, now))
                .orElseGet(() -> notFound(container)));
    }

    private Optional<ContainerRun> running(JsonNode pod, String container) {
        return kubelets.find(pod.at("/metadata/namespace").asText(), pod.at("/metadata/name").asText())
                .flatMap(work -> work.cell(container)).flatMap(ContainerCell::running);
    }

    private static Start notFound(String container) {
        return new Start.Refused("unable to upgrade connection: container not found (\"" + container + "\")");
    }

    private Start exec(ContainerRun run, List<String> command, Terminal terminal, Instant now) {
        String first = command.getFirst();
        if (!insides.canRun(run, first)) {
            return new Start.Refused(NOT_STARTED.formatted(Digests.hex(run.id() + command + now), first,
                    NotInImage.missing(first)));
        }
        return new Start.Running(session(run, command, terminal, now));
    }

    /** @param now up to when what its program has written is there */
    private Session session(ContainerRun run, List<String> command, Terminal terminal, Instant now) {
        Map<String, byte[]> files = run.program().files(run, now);
        Inside inside = insides.of(run, tokens).with(files);
        InsideSession session = new InsideSession(insides.machines(), inside, run.layer(inside));
        boolean typed = terminal == Terminal.RAW && Terminals.isPlainShell(command);
        return (in, out, err) -> typed ? session.typed(command, in, out)
                : terminal == Terminal.RAW ? session.onTerminal(command, in, out) : session.run(command, in, out, err);
    }

    @Override
    public Start attach(JsonNode pod, String container, Terminal terminal) {
        return kubelets.locked(now -> running(pod, container).map(run -> attach(run, terminal, now))
                .orElseGet(() -> notFound(container)));
    }

    private Start attach(ContainerRun run, Terminal terminal, Instant now) {
        if (run.program() instanceof ShellProgram shell && shell.isTypedInto(run)) {
            Session session = session(run, shell.words(run), terminal, now);
            return new Start.Running((in, out, err) -> {
                int status = session.run(in, out, err);
                kubelets.locked(then -> run.notes().put(ShellProgram.TYPED_EXIT, Integer.toString(status)));
                return 0;
            });
        }
        return new Start.Running((in, out, err) -> follow(run, out, now));
    }

    /** What it writes from now on, until it ends; how it ends is in the pod's status, not here. */
    private int follow(ContainerRun run, OutputStream out, Instant since) throws IOException {
        int told = 0;
        while (true) {
            List<LogSource.Line> lines = kubelets.locked(now -> run.program()
                    .log(run, run.endedAt().isBefore(now) ? run.endedAt() : now)).stream()
                    .filter(line -> line.at().isAfter(since)).toList();
            for (LogSource.Line line : lines.subList(Math.min(told, lines.size()), lines.size())) {
                out.write((line.text() + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            told = Math.max(told, lines.size());
            if (kubelets.locked(now -> !run.endedAt().isAfter(now))) {
                return 0;
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(GLANCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the client has gone", e);
        }
    }
}
