package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.User;
import dev.pitwall.link.trust.CarriedTrouble;

import okhttp3.Authenticator;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;

/**
 * How requests prove who sends them: a header, a client certificate, or both. A token file is read for every
 * request, since the cluster replaces it; an exec plugin runs when its last credential has expired or was refused.
 */
final class SignIn implements Interceptor, Authenticator {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy HH:mm", Locale.ENGLISH);

    private static final String HEADER = "Authorization";

    private final User user;
    private final Optional<ClientIdentity> fixed;
    private final Optional<ExecPlugin> exec;

    private SignIn(User user, Optional<ClientIdentity> fixed, Optional<ExecPlugin> exec) {
        this.user = user;
        this.fixed = fixed;
        this.exec = exec;
    }

    /** @param limit time an exec plugin may take */
    static SignIn of(Kubeconfig.Target target, Duration limit, InstantSource clock) throws TroubleException {
        User user = target.user();
        check(user);
        return new SignIn(user, fixedIdentity(user),
                user.exec().map(command -> new ExecPlugin(command, target, limit, clock)));
    }

    /** Everything that can be wrong in the files, without running anything. */
    static void check(User user) throws TroubleException {
        if (user.authProvider().isPresent() && user.exec().isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, user.place().text(),
                    "it signs in with auth-provider \"" + user.authProvider().get()
                            + "\", which Kubernetes no longer supports",
                    "Ask the provider's own tool for a new kubeconfig; it will use an exec plugin."));
        }
        if (user.exec().isPresent()) {
            ExecPlugin.check(user.exec().get(), user.place());
        }
        fixedIdentity(user);
        if (user.tokenFile().isPresent() && user.token().isEmpty()) {
            readTokenFile(user);
        }
    }

    private static Optional<ClientIdentity> fixedIdentity(User user) throws TroubleException {
        Optional<byte[]> certificate = MaterialReader.read(user.certificate(), "client-certificate", user.place());
        Optional<byte[]> key = MaterialReader.read(user.key(), "client-key", user.place());
        if (certificate.isPresent() != key.isPresent()) {
            String there = certificate.isPresent() ? "client-certificate" : "client-key";
            String absent = certificate.isPresent() ? "client-key" : "client-certificate";
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, user.place().text(),
                    "user \"" + user.name() + "\" has a " + there + " but no " + absent,
                    "Copy the kubeconfig again from the cluster."));
        }
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(ClientIdentity.of(certificate.get(), key.get(), user.place().text()));
    }

    /** Runs what has to be run, so that a failure shows before a connection is made. */
    void prepare() throws TroubleException {
        header();
    }

    /** The client certificate of the moment; runs nothing. */
    Optional<ClientIdentity> identity() {
        Optional<ClientIdentity> fresh = exec.flatMap(ExecPlugin::latest).flatMap(ExecPlugin.Credential::identity);
        return fresh.or(() -> fixed);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        return chain.proceed(signed(chain.request()));
    }

    /** True if connections made before may carry an older client certificate than is there now. */
    boolean renews() {
        return exec.isPresent();
    }

    /** After a refusal an exec plugin is asked for a fresh credential; if that is another, the request is repeated. */
    @Override
    public Request authenticate(Route route, Response response) throws IOException {
        if (exec.isEmpty() || response.priorResponse() != null) {
            return null;
        }
        exec.get().refused();
        Request again = signed(response.request());
        return Objects.equals(again.header(HEADER), response.request().header(HEADER)) ? null : again;
    }

    private Request signed(Request request) throws IOException {
        Request.Builder signed = request.newBuilder();
        try {
            header().ifPresent(header -> signed.header(HEADER, header));
        } catch (TroubleException trouble) {
            throw new CarriedTrouble(trouble);
        }
        user.impersonate().forEach(header -> signed.removeHeader(header.getKey()));
        for (var header : user.impersonate()) {
            signed.addHeader(header.getKey(), header.getValue());
        }
        return signed.build();
    }

    private Optional<String> header() throws TroubleException {
        if (exec.isPresent()) {
            return exec.get().credential().token().map(token -> "Bearer " + token);
        }
        if (user.token().isPresent()) {
            return user.token().map(token -> "Bearer " + token);
        }
        if (user.tokenFile().isPresent()) {
            return Optional.of("Bearer " + readTokenFile(user));
        }
        return user.userName().map(name -> "Basic " + Base64.getEncoder().encodeToString(
                (name + ":" + user.password().orElse("")).getBytes(StandardCharsets.UTF_8)));
    }

    private static String readTokenFile(User user) throws TroubleException {
        byte[] token = MaterialReader.file(user.place().resolve(user.tokenFile().get()), "tokenFile", user.place());
        return new String(token, StandardCharsets.UTF_8).strip();
    }

    /** One line on what it signs in with, for example {@code client certificate, valid until 3 May 2027 10:00}. */
    String text() {
        String until = identity().map(ClientIdentity::validUntil)
                .or(() -> exec.flatMap(ExecPlugin::latest).flatMap(ExecPlugin.Credential::expires))
                .map(end -> ", valid until " + DAY.format(end.atZone(ZoneId.systemDefault()))).orElse("");
        return user.auth() + (exec.isPresent() ? " ran" : "") + until;
    }

    /** The certificate's end if that has passed. */
    Optional<Trouble> expired(Instant now, String where) {
        return identity().filter(client -> client.validUntil().isBefore(now)).map(client -> new Trouble(
                Trouble.Kind.CREDENTIALS, where, "the client certificate of user \"" + user.name() + "\" expired on "
                        + DAY.format(client.validUntil().atZone(ZoneId.systemDefault())),
                "Copy a fresh kubeconfig from the cluster; restarting k3s or RKE2 renews it, as does "
                        + "\"kubeadm certs renew admin.conf\"."));
    }

    /** What a person does when the server does not accept it. */
    String afterRefusal() {
        return switch (user.auth().split(" ")[0]) {
            case "exec" -> "Sign in again with the plugin's own command, for example in a terminal with "
                    + "\"kubectl get nodes\".";
            case "client" -> "Copy a fresh kubeconfig from the cluster; this certificate is of another cluster or "
                    + "authority.";
            case "none" -> "Choose a context whose user has a certificate or a token.";
            default -> "Put a valid token or password into the kubeconfig's user \"" + user.name() + "\".";
        };
    }
}
