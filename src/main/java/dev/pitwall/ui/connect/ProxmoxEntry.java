package dev.pitwall.ui.connect;

import dev.pitwall.site.Identity;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.SecretRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** A Proxmox host. */
final class ProxmoxEntry extends Entry {
    private static final int USUAL_PORT = 8006;
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]+]?");
    private static final Pattern USER = Pattern.compile("[^@!\\s]+@[^@!\\s]+");
    private static final Pattern TOKEN = Pattern.compile("[^@!\\s]+@[^@!\\s]+![^@!\\s]+");

    /** How to sign in. */
    enum Method { TOKEN, PASSWORD }

    /**
     * The server wants a second factor.
     *
     * @param kinds  what it takes, for example {@code totp}
     * @param answer completed with {@code kind:code}, or empty if the person declines
     */
    record Question(String who, List<String> kinds, CompletableFuture<Optional<String>> answer) {
    }

    private final Tools tools;
    private final StringProperty address = new SimpleStringProperty("");
    private final ObjectProperty<Method> method = new SimpleObjectProperty<>(Method.TOKEN);
    private final StringProperty token = new SimpleStringProperty("");
    private final StringProperty user = new SimpleStringProperty("root@pam");
    private final SecretField secret;
    private final Optional<String> savedName;
    private final ObjectProperty<Optional<Question>> question = new SimpleObjectProperty<>(Optional.empty());
    private Optional<URI> lastUrl;

    ProxmoxEntry(Tools tools, Optional<ProxmoxAccess> saved, Runnable changed) {
        super(tools, changed);
        this.tools = tools;
        this.savedName = saved.map(ProxmoxAccess::name);
        this.secret = tools.secret("proxmox", saved.map(a -> switch (a.login()) {
            case ProxmoxAccess.Token(String _, SecretRef ref) -> ref;
            case ProxmoxAccess.Password(String _, SecretRef ref) -> ref;
        }));
        saved.ifPresent(this::fill);
        this.lastUrl = url();
        address.addListener((_, _, _) -> addressChanged());
        method.addListener((_, _, _) -> touched());
        token.addListener((_, _, _) -> touched());
        user.addListener((_, _, _) -> touched());
        secret.typedProperty().addListener((_, _, _) -> touched());
        question.addListener((_, _, _) -> changed());
    }

    private void fill(ProxmoxAccess access) {
        address.set(access.url().toString());
        switch (access.login()) {
            case ProxmoxAccess.Token(String id, SecretRef _) -> token.set(id);
            case ProxmoxAccess.Password(String name, SecretRef _) -> {
                method.set(Method.PASSWORD);
                user.set(name);
            }
        }
        savedAs(access.fingerprint());
    }

    private void addressChanged() {
        Optional<URI> now = url();
        if (now.equals(lastUrl)) {
            changed();
            return;
        }
        lastUrl = now;
        moved();
    }

    StringProperty addressProperty() {
        return address;
    }

    ObjectProperty<Method> methodProperty() {
        return method;
    }

    StringProperty tokenProperty() {
        return token;
    }

    StringProperty userProperty() {
        return user;
    }

    SecretField secret() {
        return secret;
    }

    ObjectProperty<Optional<Question>> questionProperty() {
        return question;
    }

    /** The API's address; the scheme and the usual port may be left out. */
    Optional<URI> url() {
        String text = address.get().strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text.contains("://") ? text : "https://" + text);
            if (uri.getHost() == null || !"https".equalsIgnoreCase(uri.getScheme())) {
                return Optional.empty();
            }
            return Optional.of(new URI("https", null, uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort(),
                    null, null, null));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** The node's name: as the API tells it, as its certificate says, or the first part of the address. */
    @Override
    String title() {
        return savedName.or(() -> peers().stream().map(Reachability.Peer::name).findFirst())
                .or(this::nameInAddress).or(this::nameInCertificate).or(() -> url().map(URI::getHost)).orElse("");
    }

    private Optional<String> nameInAddress() {
        return url().map(URI::getHost).filter(h -> !ADDRESS.matcher(h).matches()).map(h -> h.split("\\.")[0]);
    }

    private Optional<String> nameInCertificate() {
        return trial().identity().flatMap(Identity::subject).filter(s -> s.startsWith("CN "))
                .map(s -> s.substring(3).split("\\.")[0]);
    }

    /** The nodes of its cluster, itself first. */
    List<Reachability.Peer> peers() {
        return trial().peers();
    }

    @Override
    boolean filled() {
        return !address.get().isBlank() || !token.get().isBlank() || secret.typed();
    }

    @Override
    Optional<String> missing() {
        if (address.get().isBlank()) {
            return Optional.of(tools.texts().get("connect.missing.address"));
        }
        if (url().isEmpty()) {
            return Optional.of(tools.texts().get("connect.missing.url"));
        }
        boolean named = method.get() == Method.TOKEN ? TOKEN.matcher(token.get().strip()).matches()
                : USER.matcher(user.get().strip()).matches();
        if (!named) {
            return Optional.of(tools.texts().get(method.get() == Method.TOKEN ? "connect.missing.token"
                    : "connect.missing.user"));
        }
        return secret.ref().isPresent() ? Optional.empty() : Optional.of(tools.texts().get("connect.missing.secret"));
    }

    @Override
    void test() {
        if (missing().isPresent()) {
            return;
        }
        ProxmoxAccess access = access(title());
        Optional<SecretRef> ref = secret.ref();
        trial().run(access.name(), progress -> tools.reach().proxmox(access,
                SecretField.read(tools.secrets(), ref).orElse(""), this::ask, progress));
    }

    /** @param name unique in the site */
    ProxmoxAccess access(String name) {
        SecretRef ref = secret.ref().orElseThrow();
        ProxmoxAccess.Login login = switch (method.get()) {
            case TOKEN -> new ProxmoxAccess.Token(token.get().strip(), ref);
            case PASSWORD -> new ProxmoxAccess.Password(user.get().strip(), ref);
        };
        return new ProxmoxAccess(name, url().orElseThrow(), login, pin());
    }

    /** Called by the test, off the window's thread; waits until the person has answered. */
    private Optional<String> ask(String who, List<String> kinds) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        tools.window().execute(() -> question.set(Optional.of(new Question(who, kinds, answer))));
        try {
            return answer.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException _) {
            return Optional.empty();
        } finally {
            tools.window().execute(() -> question.set(Optional.empty()));
        }
    }
}
