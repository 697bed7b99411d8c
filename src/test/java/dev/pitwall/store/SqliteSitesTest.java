package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Connection;
import dev.pitwall.site.LastGood;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static dev.pitwall.store.TroubleAssert.troubleOf;
import static org.assertj.core.api.Assertions.assertThat;

class SqliteSitesTest {
    private static final SecretRef TOKEN = new SecretRef("1/proxmox/pve1");
    private static final SecretRef PASSWORD = new SecretRef("1/ssh/bastion");

    @TempDir
    private Path temp;
    private Database database;
    private final MemorySecrets secrets = new MemorySecrets("in memory");
    private SqliteSites sites;

    @BeforeEach
    void open() throws TroubleException {
        database = Database.open(new DataFolder(temp));
        sites = new SqliteSites(database, secrets);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Site site(String id, String name) {
        return new Site(id, name, List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);
    }

    private static Site withSecrets() {
        ShellAccess jump = new ShellAccess("bastion", ShellAccess.Role.JUMP, "10.0.0.1", 22, "anna",
                new ShellAccess.Password(PASSWORD), Optional.empty(), Optional.empty());
        ShellAccess host = new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "10.0.0.2", 22, "root",
                new ShellAccess.Agent(), Optional.of("SHA256:abc"), Optional.of(jump));
        return new Site("1", "basement", List.of(new ProxmoxAccess("pve1", URI.create("https://pve1:8006"),
                new ProxmoxAccess.Token("pitwall@pve!desk", TOKEN), Optional.of("AA:BB"))), List.of(host),
                Optional.of(new ClusterAccess(List.of(Path.of("kubeconfig")), Optional.empty())), Optional.empty(),
                List.of(), false);
    }

    @Test
    void theListIsByNameWhateverTheCase() throws TroubleException {
        for (String name : List.of("garage", "Basement", "attic")) {
            sites.save(site(name, name));
        }
        assertThat(sites.all()).extracting(Site::name).containsExactly("attic", "Basement", "garage");
    }

    @Test
    void savingAgainReplacesAndMayRename() throws TroubleException {
        sites.save(site("1", "garage"));
        sites.save(site("1", "shed"));
        assertThat(sites.byName("garage")).isEmpty();
        assertThat(sites.byName("shed")).contains(site("1", "shed"));
    }

    @Test
    void twoSitesCannotShareAName() throws TroubleException {
        sites.save(site("1", "garage"));
        assertThat(troubleOf(() -> sites.save(site("2", "garage"))).what())
                .isEqualTo("there is already a site with the name \"garage\"");
        assertThat(sites.all()).containsExactly(site("1", "garage"));
    }

    @Test
    void whatCouldNotBeReadBackIsRefused() throws TroubleException {
        assertThat(troubleOf(() -> sites.save(site("1", " "))).what()).isEqualTo("\"name\" is empty");
        assertThat(sites.all()).isEmpty();
    }

    @Test
    void aSecretLeavesWithTheLastAccessThatNamesIt() throws TroubleException {
        secrets.put(TOKEN, "t");
        secrets.put(PASSWORD, "p");
        Site site = withSecrets();
        sites.save(site);
        sites.save(new Site(site.id(), site.name(), List.of(), site.shells(), site.cluster(), site.metrics(), site.servers(), false));
        assertThat(secrets.get(TOKEN)).isEmpty();
        assertThat(secrets.get(PASSWORD)).contains("p");

        sites.remove(site.id());
        assertThat(secrets.get(PASSWORD)).isEmpty();
        assertThat(sites.all()).isEmpty();
    }

    @Test
    void aRemovedSiteLeavesNoAnswersBehind() throws TroubleException {
        LastGood lastGood = new SqliteLastGood(database);
        sites.save(withSecrets());
        lastGood.keep("1", Connection.Kind.PROXMOX, "pve1", new LastGood.Answer("{}", Instant.EPOCH));
        sites.remove("1");
        assertThat(lastGood.of("1", Connection.Kind.PROXMOX, "pve1")).isEmpty();
    }

    @Test
    void twoProcessesSaveAtOnceAndBothSeeAll() throws Exception {
        try (Database other = Database.open(new DataFolder(temp));
             ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            SqliteSites others = new SqliteSites(other, secrets);
            List<Future<Object>> saving = threads.invokeAll(IntStream.range(0, 20).<Callable<Object>>mapToObj(i -> () -> {
                (i % 2 == 0 ? sites : others).save(site("id " + i, "site " + i));
                return null;
            }).toList());
            for (Future<Object> one : saving) {
                one.get();
            }
            assertThat(others.all()).hasSize(20).isEqualTo(sites.all());
        }
    }
}
