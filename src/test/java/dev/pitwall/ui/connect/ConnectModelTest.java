package dev.pitwall.ui.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.words.Texts;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the dialog says and does, without a toolkit. */
class ConnectModelTest {
    private static final String LEAF = "AB:".repeat(31) + "AB";
    private static final Trouble REFUSED = new Trouble(Trouble.Kind.CONNECT, "pve1:8006", "connection refused", "Check it.");

    @TempDir
    private Path home;
    private final Systems systems = new Systems();
    private final Store store = new Store();
    private final TypedSecrets secrets = new TypedSecrets(store);
    private ConnectModel model;

    @BeforeEach
    void open() {
        model = model(Optional.empty());
    }

    private ConnectModel model(Optional<Site> site) {
        Executor inline = Runnable::run;
        ConnectModel made = new ConnectModel(new Tools(site.map(Site::id).orElse("id-1"), new Texts(), systems, systems,
                secrets, store, inline, inline, home), site);
        made.start();
        return made;
    }

    private ProxmoxEntry proxmox() {
        return model.entries().proxmox().getFirst();
    }

    private void fillProxmox() {
        proxmox().addressProperty().set("pve1.lan");
        proxmox().tokenProperty().set("pitwall@pve!desk");
        proxmox().secret().typedProperty().set("s3cret");
    }

    private void act() {
        model.act(site -> store.done.add(site));
    }

    @Test
    void aFreshDialogProposesAFreeNameAndHasNothingToLose() {
        assertThat(model.nameProperty().get()).isEqualTo("homelab");
        assertThat(model.dirty()).isFalse();
        store.sites.add(new Site("x", "homelab", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false));
        assertThat(model(Optional.empty()).nameProperty().get()).isEqualTo("homelab 2");
    }

    @Test
    void theAccentButtonSaysWhyItCannotBePressed() {
        proxmox().addressProperty().set("pve1.lan");
        assertThat(model.action()).isEqualTo(new Action(Action.Kind.TEST, "Test pve1", "Write the token as user@realm!name."));
        proxmox().addressProperty().set("http://pve1.lan");
        assertThat(model.action().why()).isEqualTo("Write the address as https://HOST:8006.");
    }

    @Test
    void theSchemeAndTheUsualPortMayBeLeftOut() {
        proxmox().addressProperty().set("pve1.lan");
        assertThat(proxmox().url()).contains(URI.create("https://pve1.lan:8006"));
        proxmox().addressProperty().set("https://pve1.lan:443/");
        assertThat(proxmox().url()).contains(URI.create("https://pve1.lan:443"));
    }

    @Test
    void firstContactAsksAndOnlyAnEqualFingerprintIsTrusted() {
        fillProxmox();
        act();
        assertThat(model.standing(SystemKind.PROXMOX)).isEqualTo(Standing.ASKS);
        assertThat(model.summary(SystemKind.PROXMOX)).isEqualTo("1 to confirm");
        assertThat(model.action().kind()).isEqualTo(Action.Kind.TRUST);
        assertThat(model.action().possible()).isFalse();
        proxmox().pastedProperty().set("fingerprint " + LEAF.replaceFirst("AB", "00"));
        assertThat(model.action().possible()).isFalse();
        proxmox().pastedProperty().set("fingerprint " + LEAF);
        assertThat(model.action()).isEqualTo(new Action(Action.Kind.TRUST, "Trust pve1 and go on", ""));
        act();
        assertThat(systems.sent).containsExactly("s3cret");
        assertThat(model.standing(SystemKind.PROXMOX)).isEqualTo(Standing.THROUGH);
        assertThat(model.action().kind()).isEqualTo(Action.Kind.SAVE);
    }

    @Test
    void anotherAddressIsAnotherHostAndTrustedByNobody() {
        trusted();
        proxmox().addressProperty().set("pve9.lan");
        assertThat(proxmox().pinned()).isEmpty();
        assertThat(proxmox().trial().hops()).isEmpty();
        assertThat(proxmox().pastedProperty().get()).isEmpty();
    }

    @Test
    void theNodesOfTheClusterAreOfferedAsShellsWithOneLogin() throws Exception {
        Files.createDirectories(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/id_ed25519"), "key");
        model = model(Optional.empty());
        trusted();
        assertThat(model.summary(SystemKind.SSH)).isEqualTo("2 hosts to add");
        model.entries().addOfferedShells();
        assertThat(model.entries().shells()).extracting(ShellEntry::access).extracting(ShellAccess::host)
                .containsExactly("pve1.lan", "192.168.40.12");
        assertThat(model.entries().shells()).allSatisfy(s -> assertThat(s.access().login())
                .isEqualTo(new ShellAccess.KeyFile(home.resolve(".ssh/id_ed25519"), Optional.empty())));
        assertThat(model.entries().shellsToOffer()).isEmpty();
    }

    @Test
    void aSiteIsSavedWithoutWhatIsRefused() {
        trusted();
        systems.metrics = false;
        model.choose(SystemKind.PROMETHEUS);
        model.entries().metrics().addressProperty().set("http://prom.lan:9090");
        act();
        assertThat(model.summary(SystemKind.PROMETHEUS)).isEqualTo("connection refused");
        assertThat(model.unsettled()).contains(SystemKind.PROMETHEUS);
        assertThat(model.whyNotWithout()).isEmpty();
        model.save(store.done::add);
        assertThat(store.done).singleElement().satisfies(site -> {
            assertThat(site.metrics()).isEmpty();
            assertThat(site.proxmox()).hasSize(1);
        });
    }

    @Test
    void secretsAreStoredUnderTheSitesIdAndTakenBackIfTheSiteCannotBeSaved() {
        trusted();
        store.refuses = true;
        act();
        assertThat(model.failure()).contains(REFUSED);
        assertThat(store.kept).isEmpty();
        store.refuses = false;
        act();
        assertThat(store.kept).hasSize(1).allSatisfy((ref, secret) -> {
            assertThat(ref.key()).startsWith("id-1/proxmox/");
            assertThat(secret).isEqualTo("s3cret");
        });
        assertThat(store.done.getFirst().proxmox().getFirst().fingerprint()).contains(LEAF);
    }

    @Test
    void anEditedSiteKeepsWhatWasNotTouched() throws Exception {
        trusted();
        act();
        Site before = store.done.getFirst();
        secrets.forgetTyped();
        model = model(Optional.of(before));
        assertThat(model.dirty()).isFalse();
        assertThat(model.standing(SystemKind.PROXMOX)).isEqualTo(Standing.KEPT);
        model.nameProperty().set("cellar");
        assertThat(model.dirty()).isTrue();
        act();
        assertThat(store.done.getLast().proxmox()).isEqualTo(before.proxmox());
        assertThat(store.done.getLast().name()).isEqualTo("cellar");
        model = model(Optional.of(before));
        proxmox().secret().typedProperty().set("new");
        act();
        SecretRef fresh = switch (proxmox().access("pve1").login()) {
            case ProxmoxAccess.Token(String _, SecretRef ref) -> ref;
            case ProxmoxAccess.Password(String _, SecretRef ref) -> ref;
        };
        assertThat(before.proxmox().getFirst().login().toString()).doesNotContain(fresh.key());
        assertThat(systems.sent.getLast()).isEqualTo("new");
    }

    @Test
    void theSecondFactorIsAskedInPlace() {
        fillProxmox();
        proxmox().methodProperty().set(ProxmoxEntry.Method.PASSWORD);
        act();
        proxmox().pastedProperty().set(LEAF);
        systems.factor = true;
        proxmox().questionProperty().addListener((_, _, question) ->
                question.ifPresent(q -> q.answer().complete(Optional.of("totp:123456"))));
        act();
        assertThat(systems.sent).containsExactly("s3cret", "totp:123456");
        assertThat(proxmox().questionProperty().get()).isEmpty();
    }

    private void trusted() {
        fillProxmox();
        act();
        proxmox().pastedProperty().set(LEAF);
        act();
    }

    /** Systems that answer by the book. */
    private static final class Systems implements Reachability, KubeconfigCatalog {
        private final List<String> sent = new ArrayList<>();
        private boolean metrics = true;
        private boolean factor;

        @Override
        public Outcome proxmox(ProxmoxAccess access, String secret, SecondFactor secondFactor, Consumer<List<Hop>> progress) {
            Optional<Identity> identity = Optional.of(new Identity("SHA-256, leaf", LEAF, Optional.of("CN pve1.lan"),
                    Optional.empty(), Optional.empty(), "pvenode cert info"));
            if (access.fingerprint().isEmpty()) {
                List<Hop> hops = List.of(Hop.asks("Certificate", "asks"), Hop.toDo("Token", "then"));
                progress.accept(hops);
                return new Outcome(hops, identity, List.of());
            }
            sent.add(secret);
            if (factor) {
                secondFactor.ask("root@pam at pve1", List.of("totp")).ifPresent(sent::add);
            }
            List<Hop> way = List.of(Hop.ok("Certificate", "equal", Duration.ZERO), Hop.ok("Token", "ok", Duration.ZERO));
            progress.accept(way);
            List<Hop> all = new ArrayList<>(way);
            all.add(Hop.refused("pve2, port 8006", REFUSED, Duration.ZERO));
            return new Outcome(all, identity, List.of(), List.of(new Peer("pve1", Optional.of("10.0.0.1")),
                    new Peer("pve2", Optional.of("192.168.40.12"))));
        }

        @Override
        public Outcome shell(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress) {
            return ok();
        }

        @Override
        public Outcome cluster(ClusterAccess access, Consumer<List<Hop>> progress) {
            return ok();
        }

        @Override
        public Outcome metrics(MetricsAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress) {
            return metrics ? ok() : new Outcome(List.of(Hop.refused("Port", REFUSED, Duration.ZERO)), Optional.empty(),
                    List.of());
        }

        @Override
        public Outcome server(ServerAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress) {
            return ok();
        }

        private static Outcome ok() {
            return new Outcome(List.of(Hop.ok("Name", "ok", Duration.ZERO)), Optional.empty(), List.of());
        }

        @Override
        public List<Found> find() {
            return List.of();
        }

        @Override
        public Found read(List<Path> files) {
            return new Found(files, "file", List.of(), Optional.empty(), Optional.empty());
        }
    }

    /** Sites and secrets in memory. */
    private static final class Store implements Sites, Secrets {
        private final Map<SecretRef, String> kept = new HashMap<>();
        private final List<Site> sites = new ArrayList<>();
        private final List<Site> done = new ArrayList<>();
        private boolean refuses;

        @Override
        public List<Site> all() {
            return List.copyOf(sites);
        }

        @Override
        public Optional<Site> byName(String name) {
            return sites.stream().filter(s -> s.name().equals(name)).findFirst();
        }

        @Override
        public void save(Site site) throws TroubleException {
            if (refuses) {
                throw new TroubleException(REFUSED);
            }
            remove(site.id());
            sites.add(site);
        }

        @Override
        public void remove(String id) {
            sites.removeIf(s -> s.id().equals(id));
        }

        @Override
        public Optional<String> get(SecretRef ref) {
            return Optional.ofNullable(kept.get(ref));
        }

        @Override
        public void put(SecretRef ref, String secret) {
            kept.put(ref, secret);
        }

        @Override
        public void remove(SecretRef ref) {
            kept.remove(ref);
        }

        @Override
        public String place() {
            return "memory";
        }
    }
}
