package dev.pitwall.ui.connect;

import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Who signs in over SSH, and with what; for one machine, or for many. */
final class ShellLogin {
    /** OpenSSH's own order of preference today. */
    private static final List<String> KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

    enum Method { KEY_FILE, AGENT, PASSWORD }

    private final Tools tools;
    private final StringProperty user = new SimpleStringProperty("root");
    private final ObjectProperty<Method> method = new SimpleObjectProperty<>(Method.KEY_FILE);
    private final StringProperty keyFile = new SimpleStringProperty("");
    private final SecretField secret;

    ShellLogin(Tools tools, Optional<ShellAccess> saved, Runnable touched) {
        this.tools = tools;
        this.secret = tools.secret("ssh", saved.flatMap(a -> switch (a.login()) {
            case ShellAccess.KeyFile(Path _, Optional<SecretRef> passphrase) -> passphrase;
            case ShellAccess.Password(SecretRef ref) -> Optional.of(ref);
            case ShellAccess.Agent() -> Optional.empty();
        }));
        keyFile.set(usualKey());
        saved.ifPresent(this::fill);
        user.addListener((_, _, _) -> touched.run());
        method.addListener((_, _, _) -> touched.run());
        keyFile.addListener((_, _, _) -> touched.run());
        secret.typedProperty().addListener((_, _, _) -> touched.run());
    }

    private void fill(ShellAccess access) {
        user.set(access.user());
        switch (access.login()) {
            case ShellAccess.KeyFile(Path file, Optional<SecretRef> _) -> keyFile.set(file.toString());
            case ShellAccess.Agent() -> method.set(Method.AGENT);
            case ShellAccess.Password(SecretRef _) -> method.set(Method.PASSWORD);
        }
    }

    /** The first key that is there; empty if there is none. */
    private String usualKey() {
        return KEYS.stream().filter(k -> Files.isReadable(tools.home().resolve(".ssh").resolve(k)))
                .map(k -> "~/.ssh/" + k).findFirst().orElse("");
    }

    StringProperty userProperty() {
        return user;
    }

    ObjectProperty<Method> methodProperty() {
        return method;
    }

    StringProperty keyFileProperty() {
        return keyFile;
    }

    /** The password, or the passphrase of the key file. */
    SecretField secret() {
        return secret;
    }

    Method method() {
        return method.get();
    }

    Path keyPath() {
        String text = keyFile.get().strip();
        return text.startsWith("~/") ? tools.home().resolve(text.substring(2)) : Path.of(text);
    }

    Optional<String> missing() {
        if (user.get().isBlank()) {
            return Optional.of(tools.texts().get("connect.missing.login"));
        }
        return switch (method.get()) {
            case KEY_FILE -> keyFile.get().isBlank() ? Optional.of(tools.texts().get("connect.missing.key"))
                    : Optional.empty();
            case PASSWORD -> secret.ref().isEmpty() ? Optional.of(tools.texts().get("connect.missing.password"))
                    : Optional.empty();
            case AGENT -> Optional.empty();
        };
    }

    /** The secret's name, where this login needs one. */
    Optional<SecretRef> secretRef() {
        return method.get() == Method.AGENT ? Optional.empty() : secret.ref();
    }

    ShellAccess.Login login() {
        return switch (method.get()) {
            case KEY_FILE -> new ShellAccess.KeyFile(keyPath(), secret.ref());
            case AGENT -> new ShellAccess.Agent();
            case PASSWORD -> new ShellAccess.Password(secret.ref().orElseThrow());
        };
    }
}
