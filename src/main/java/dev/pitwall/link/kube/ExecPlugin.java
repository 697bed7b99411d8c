package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.Exec;

/**
 * Runs a kubeconfig's exec plugin and keeps its credential until it expires, as client-go does. client-java's runner
 * has no time limit and swallows the command's error text, hence this class. What the command prints on standard
 * output is a secret: it is never shown or logged, not even when it cannot be understood.
 */
final class ExecPlugin {
    /** A browser log-in takes a while; longer than this nobody waits for a window to come up. */
    static final Duration USUAL_LIMIT = Duration.ofSeconds(60);
    private static final Set<String> VERSIONS =
            Set.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration EARLY = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 1024 * 1024;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Exec exec;
    private final Kubeconfig.Target target;
    private final Duration limit;
    private final InstantSource clock;
    private final ReentrantLock oneAtATime = new ReentrantLock();
    private Optional<Credential> kept = Optional.empty();
    private Instant lastRefused = Instant.EPOCH;

    /** @param expires empty means until it is refused */
    record Credential(Optional<String> token, Optional<ClientIdentity> identity, Optional<Instant> expires) {
        @Override
        public String toString() {
            return "Credential[expires " + expires + "]";
        }
    }

    ExecPlugin(Exec exec, Kubeconfig.Target target, Duration limit, InstantSource clock) {
        this.exec = exec;
        this.target = target;
        this.limit = limit;
        this.clock = clock;
    }

    /** What can be said without running it. */
    static void check(Exec exec, Kubeconfig.Place place) throws TroubleException {
        if (!VERSIONS.contains(exec.apiVersion())) {
            throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, place.text(),
                    "the exec plugin speaks \"" + exec.apiVersion() + "\", which Kubernetes no longer supports",
                    "Update " + exec.command()
                            + ", and set its apiVersion to client.authentication.k8s.io/v1beta1 or v1."));
        }
        if (exec.interactive() == Exec.Interactive.ALWAYS) {
            throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, place.text(),
                    "the exec plugin " + exec.command() + " needs a terminal to ask in (interactiveMode Always)",
                    "Use a sign-in that does not ask, for example a token, or set interactiveMode to IfAvailable."));
        }
    }

    /** The credential, from the last run while it is still good. Blocks while the command runs. */
    Credential credential() throws TroubleException {
        oneAtATime.lock();
        try {
            if (kept.isEmpty() || stale(kept.get())) {
                check(exec, target.user().place());
                kept = Optional.of(run());
            }
            return kept.get();
        } finally {
            oneAtATime.unlock();
        }
    }

    /** The last credential without running anything. */
    Optional<Credential> latest() {
        oneAtATime.lock();
        try {
            return kept;
        } finally {
            oneAtATime.unlock();
        }
    }

    /**
     * Forgets a credential that the server refused, so that the next use runs the command again; but not soon after the
     * last time, since every watch is refused at once and a plugin may open a browser.
     */
    void refused() {
        oneAtATime.lock();
        try {
            if (!clock.instant().isBefore(lastRefused.plus(PATIENCE))) {
                lastRefused = clock.instant();
                kept = Optional.empty();
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    private boolean stale(Credential credential) {
        return credential.expires().map(end -> !clock.instant().isBefore(end.minus(EARLY))).orElse(false);
    }

    private Credential run() throws TroubleException {
        Process process = start();
        try {
            CompletableFuture<byte[]> printed = drain(process.getInputStream());
            CompletableFuture<byte[]> complaint = drain(process.getErrorStream());
            process.getOutputStream().close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failed("did not finish within " + limit.toSeconds() + " s",
                        "Run \"" + commandLine() + "\" in a terminal and see what it waits for.");
            }
            String firstLine = new String(complaint.get(2, TimeUnit.SECONDS), StandardCharsets.UTF_8).lines()
                    .map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
            if (process.exitValue() != 0) {
                String said = firstLine.isEmpty() ? "" : ": " + firstLine.substring(0, Math.min(200,
                        firstLine.length()));
                throw failed("ended with code " + process.exitValue() + said,
                        "Run \"" + commandLine() + "\" in a terminal until it works there.");
            }
            return understand(printed.get(2, TimeUnit.SECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw failed("was stopped", "Try again.");
        } catch (IOException | ExecutionException | TimeoutException broken) {
            throw failed("gave no complete answer", "Run \"" + commandLine() + "\" in a terminal.");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start() throws TroubleException {
        List<String> line = new ArrayList<>();
        line.add(executable());
        line.addAll(exec.args());
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(exec.env());
        builder.environment().put("KUBERNETES_EXEC_INFO", execInfo());
        try {
            return builder.start();
        } catch (IOException notStarted) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, target.user().place().text(),
                    "the exec plugin " + exec.command() + " is not installed, or cannot be started",
                    exec.installHint().map(hint -> hint.strip().lines().findFirst().orElse(""))
                            .filter(hint -> !hint.isEmpty())
                            .orElse("Install " + exec.command() + ", or put its folder on the PATH.")), notStarted);
        }
    }

    /** A command with a slash is relative to the kubeconfig's folder; one without is searched on the PATH. */
    private String executable() {
        return exec.command().contains("/") ? target.user().place().resolve(exec.command()).toString()
                : exec.command();
    }

    private String commandLine() {
        Path name = Path.of(exec.command()).getFileName();
        return name + (exec.args().isEmpty() ? "" : " …");
    }

    private String execInfo() throws TroubleException {
        ObjectNode info = JSON.createObjectNode();
        info.put("apiVersion", exec.apiVersion());
        info.put("kind", "ExecCredential");
        ObjectNode spec = info.putObject("spec");
        spec.put("interactive", false);
        if (exec.provideClusterInfo()) {
            Kubeconfig.Cluster cluster = target.cluster();
            ObjectNode told = spec.putObject("cluster");
            told.put("server", cluster.server());
            cluster.tlsServerName().ifPresent(name -> told.put("tls-server-name", name));
            cluster.proxyUrl().ifPresent(url -> told.put("proxy-url", url));
            if (cluster.skipVerify()) {
                told.put("insecure-skip-tls-verify", true);
            }
            MaterialReader.read(cluster.authority(), "certificate-authority", cluster.place())
                    .ifPresent(pem -> told.put("certificate-authority-data", pem));
        }
        return info.toString();
    }

    private Credential understand(byte[] printed) throws TroubleException {
        JsonNode answer;
        try {
            answer = JSON.readTree(printed);
        } catch (IOException garbled) {
            // The parser's message quotes what was printed, so it is dropped here.
            throw garbage();
        }
        JsonNode status = answer == null ? JSON.missingNode() : answer.path("status");
        if (!status.isObject() || !answer.path("kind").asText().equals("ExecCredential")) {
            throw garbage();
        }
        if (!answer.path("apiVersion").asText().equals(exec.apiVersion())) {
            throw failed("answered in another version than " + exec.apiVersion(),
                    "Set the apiVersion in the kubeconfig to what the installed " + exec.command() + " speaks.");
        }
        Optional<String> token = text(status, "token");
        Optional<ClientIdentity> identity = identity(status);
        if (token.isEmpty() && identity.isEmpty()) {
            throw failed("gave neither a token nor a certificate",
                    "Run \"" + commandLine() + "\" in a terminal and check its account.");
        }
        return new Credential(token, identity, expiry(status));
    }

    private Optional<ClientIdentity> identity(JsonNode status) throws TroubleException {
        Optional<String> certificate = text(status, "clientCertificateData");
        Optional<String> key = text(status, "clientKeyData");
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(ClientIdentity.of(certificate.get().getBytes(StandardCharsets.US_ASCII),
                key.get().getBytes(StandardCharsets.US_ASCII), "exec plugin " + exec.command()));
    }

    private static Optional<Instant> expiry(JsonNode status) {
        try {
            return text(status, "expirationTimestamp").map(Instant::parse);
        } catch (DateTimeParseException garbled) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field).asText("")).filter(text -> !text.isEmpty());
    }

    private TroubleException garbage() {
        return failed("printed something that is not a credential",
                "Run \"" + commandLine() + "\" in a terminal; it must print an ExecCredential and nothing else.");
    }

    private TroubleException failed(String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, target.user().place().text(),
                "the exec plugin " + exec.command() + " " + what, next));
    }

    private static CompletableFuture<byte[]> drain(InputStream stream) {
        CompletableFuture<byte[]> all = new CompletableFuture<>();
        Thread.ofVirtual().name("exec-plugin").start(() -> {
            try (stream) {
                all.complete(stream.readNBytes(MOST_BYTES));
            } catch (IOException cut) {
                all.completeExceptionally(cut);
            }
        });
        return all;
    }
}
