package dev.pitwall.ui.connect;

import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.ShellAccess.Role;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** A machine that is reached over SSH. */
final class ShellEntry extends Entry {
    static final int USUAL_PORT = 22;
    private static final int LAST_PORT = 65535;

    private final Tools tools;
    private final ShellLogin shared;
    private final ShellLogin own;
    private final Function<String, Optional<ShellEntry>> others;
    private final StringProperty name = new SimpleStringProperty("");
    private final ObjectProperty<Role> role = new SimpleObjectProperty<>(Role.PROXMOX_HOST);
    private final StringProperty host = new SimpleStringProperty("");
    private final StringProperty port = new SimpleStringProperty(Integer.toString(USUAL_PORT));
    private final StringProperty jump = new SimpleStringProperty("");
    private final BooleanProperty ownLogin = new SimpleBooleanProperty(false);

    /** @param others finds another machine of the site by its name, for the way through it */
    ShellEntry(Tools tools, ShellLogin shared, Function<String, Optional<ShellEntry>> others,
               Optional<ShellAccess> saved, Runnable changed) {
        super(tools, changed);
        this.tools = tools;
        this.shared = shared;
        this.others = others;
        this.own = new ShellLogin(tools, saved, this::touched);
        saved.ifPresent(this::fill);
        name.addListener((_, _, _) -> touched());
        role.addListener((_, _, _) -> touched());
        host.addListener((_, _, _) -> moved());
        port.addListener((_, _, _) -> moved());
        jump.addListener((_, _, _) -> touched());
        ownLogin.addListener((_, _, _) -> touched());
    }

    private void fill(ShellAccess access) {
        name.set(access.name());
        role.set(access.role());
        host.set(access.host());
        port.set(Integer.toString(access.port()));
        jump.set(access.jump().map(ShellAccess::name).orElse(""));
        ownLogin.set(true);
        savedAs(access.hostKey());
    }

    StringProperty nameProperty() {
        return name;
    }

    ObjectProperty<Role> roleProperty() {
        return role;
    }

    StringProperty hostProperty() {
        return host;
    }

    StringProperty portProperty() {
        return port;
    }

    /** Name of the machine to go through; empty for none. */
    StringProperty jumpProperty() {
        return jump;
    }

    /** Whether it has a login of its own instead of the one of all machines. */
    BooleanProperty ownLoginProperty() {
        return ownLogin;
    }

    ShellLogin own() {
        return own;
    }

    ShellLogin login() {
        return ownLogin.get() ? own : shared;
    }

    @Override
    String title() {
        return name.get().isBlank() ? host.get().strip().split("\\.")[0] : name.get().strip();
    }

    @Override
    boolean filled() {
        return !host.get().isBlank() || !name.get().isBlank();
    }

    @Override
    Optional<String> missing() {
        if (host.get().isBlank()) {
            return Optional.of(tools.texts().get("connect.missing.host"));
        }
        if (portNumber().isEmpty()) {
            return Optional.of(tools.texts().get("connect.missing.port"));
        }
        return login().missing().or(() -> jump.get().isEmpty() ? Optional.empty()
                : jumpEntry().isPresent() ? jumpEntry().get().login().missing()
                : Optional.of(tools.texts().get("connect.missing.jump", jump.get())));
    }

    private Optional<ShellEntry> jumpEntry() {
        return others.apply(jump.get()).filter(e -> e != this);
    }

    private Optional<Integer> portNumber() {
        String text = port.get().strip();
        return text.matches("\\d{1,5}") && Integer.parseInt(text) > 0 && Integer.parseInt(text) <= LAST_PORT
                ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }

    @Override
    void test() {
        if (missing().isPresent()) {
            return;
        }
        ShellAccess access = access();
        Optional<SecretRef> ref = login().secretRef();
        trial().run(access.name(), progress ->
                tools.reach().shell(access, SecretField.read(tools.secrets(), ref), progress));
    }

    ShellAccess access() {
        return new ShellAccess(title(), role.get(), host.get().strip(), portNumber().orElseThrow(),
                login().userProperty().get().strip(), login().login(), pin(),
                // One jump is what the dialog offers; a jump's own jump would make a circle possible.
                jumpEntry().map(ShellEntry::direct));
    }

    private ShellAccess direct() {
        return new ShellAccess(title(), Role.JUMP, host.get().strip(), portNumber().orElse(USUAL_PORT),
                login().userProperty().get().strip(), login().login(), pin(), Optional.empty());
    }
}
