package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.TalosAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static dev.pitwall.store.TroubleAssert.troubleOf;
import static org.assertj.core.api.Assertions.assertThat;

class SiteFileTest {
    private static final String FINGERPRINT = "AA:".repeat(31) + "BC";
    private static final String WHOLE = """
            {
              "name": "lab garage",
              "lab": true,
              "madeBy": {"anything": [1, 2.5, null]},
              "proxmox": [
                {"name": "pve1", "url": "https://127.0.0.1:8006", "token": "pitwall@pve!desk", "secret": "s3cret-1", "fingerprint": "%s"},
                {"name": "pve2", "url": "https://127.0.0.1:8007", "user": "root@pam", "password": "s3cret-2"}
              ],
              "ssh": [
                {"name": "pve1", "role": "proxmox-host", "host": "127.0.0.1", "port": 2201, "user": "root",
                 "keyFile": "id_ed25519", "passphrase": "s3cret-3", "hostKey": "SHA256:abc", "jump": "bastion"},
                {"name": "bastion", "role": "jump", "host": "10.0.0.1", "user": "anna", "password": "s3cret-4"},
                {"name": "worker", "role": "node", "host": "10.0.0.2", "agent": true}
              ],
              "cluster": {"kubeconfig": ["kubeconfig", "/etc/kube"], "context": "garage"},
              "prometheus": {"service": "monitoring/prometheus-server:9090"},
              "modelServers": [{"name": "ollama-a", "url": "http://127.0.0.1:11434", "node": "rke2-worker-dc1-gpu-a"}]
            }
            """.formatted(FINGERPRINT);

    @TempDir
    private Path temp;

    private SiteFile file(String text) throws IOException {
        return new SiteFile(Files.writeString(temp.resolve("site.json"), text));
    }

    private Trouble trouble(String text) throws IOException {
        SiteFile file = file(text);
        return troubleOf(file::read);
    }

    private String at(int line, int column) {
        return temp.resolve("site.json") + " line " + line + " column " + column;
    }

    @Test
    void readsEverythingAndKeepsTheSecretsApart() throws Exception {
        SiteFile.Loaded loaded = file(WHOLE).read();
        Site site = loaded.site();
        String id = site.id();

        ShellAccess bastion = new ShellAccess("bastion", ShellAccess.Role.JUMP, "10.0.0.1", 22, "anna",
                new ShellAccess.Password(new SecretRef(id + "/ssh/bastion")), Optional.empty(), Optional.empty());
        assertThat(site).isEqualTo(new Site(id, "lab garage",
                List.of(new ProxmoxAccess("pve1", URI.create("https://127.0.0.1:8006"),
                                new ProxmoxAccess.Token("pitwall@pve!desk", new SecretRef(id + "/proxmox/pve1")), Optional.of(FINGERPRINT)),
                        new ProxmoxAccess("pve2", URI.create("https://127.0.0.1:8007"),
                                new ProxmoxAccess.Password("root@pam", new SecretRef(id + "/proxmox/pve2")), Optional.empty())),
                List.of(new ShellAccess("pve1", ShellAccess.Role.PROXMOX_HOST, "127.0.0.1", 2201, "root",
                                new ShellAccess.KeyFile(temp.resolve("id_ed25519"), Optional.of(new SecretRef(id + "/ssh/pve1/passphrase"))),
                                Optional.of("SHA256:abc"), Optional.of(bastion)),
                        bastion,
                        new ShellAccess("worker", ShellAccess.Role.NODE, "10.0.0.2", 22, "root", new ShellAccess.Agent(),
                                Optional.empty(), Optional.empty())),
                Optional.of(new ClusterAccess(List.of(temp.resolve("kubeconfig"), Path.of("/etc/kube")), Optional.of("garage"))),
                Optional.of(new MetricsAccess(new Endpoint.Service("monitoring", "prometheus-server", 9090, "http"))),
                List.of(new ServerAccess("ollama-a", new Endpoint.Url(URI.create("http://127.0.0.1:11434")), Optional.of("rke2-worker-dc1-gpu-a"))),
                true));
        assertThat(loaded.secrets().get(new SecretRef(id + "/proxmox/pve1"))).contains("s3cret-1");
        assertThat(loaded.secrets().get(new SecretRef(id + "/proxmox/pve2"))).contains("s3cret-2");
        assertThat(loaded.secrets().get(new SecretRef(id + "/ssh/pve1/passphrase"))).contains("s3cret-3");
        assertThat(loaded.secrets().get(new SecretRef(id + "/ssh/bastion"))).contains("s3cret-4");
        assertThat(loaded.secrets().place()).isEqualTo("in memory, from site.json");
    }

    @Test
    void noSecretIsInAnyText() throws Exception {
        SiteFile.Loaded loaded = file(WHOLE).read();
        assertThat(loaded + " " + loaded.site() + " " + loaded.secrets() + Json.parse("f", WHOLE.getBytes())).doesNotContain("s3cret");
    }

    @Test
    void aSiteNamesMirrorsAndTheRestComesFromItsMakers() throws Exception {
        Site site = file("""
                {"name": "a", "sources": {"gpu-operator-charts": "http://mirror.lan/nvidia",
                 "talos-image-factory": "https://factory.lan"}}""").read().site();
        assertThat(site.sources()).isEqualTo(Map.of("gpu-operator-charts", URI.create("http://mirror.lan/nvidia"),
                "talos-image-factory", URI.create("https://factory.lan")));
        assertThat(file("{\"name\": \"a\"}").read().site().sources()).isEmpty();
    }

    @Test
    void aSiteNamesItsTalosconfigAndWhichOfItsContexts() throws Exception {
        Site site = file("{\"name\": \"a\", \"talos\": {\"talosconfig\": \"cfg/talosconfig\", \"context\": \"home\"}}").read().site();

        assertThat(site.talos()).contains(new TalosAccess(temp.resolve("cfg/talosconfig"), Optional.of("home")));
        assertThat(file("{\"name\": \"a\"}").read().site().talos()).isEmpty();
    }

    @Test
    void writingLeavesTheSecretsOutAndReadsBack() throws Exception {
        Site site = file(WHOLE).read().site();
        SiteFile export = new SiteFile(temp.resolve("export.json"));
        export.write(site);

        String text = Files.readString(temp.resolve("export.json"));
        assertThat(text).doesNotContain("s3cret", "Ref").contains("\"keyFile\" : \"id_ed25519\"", "\"jump\" : \"bastion\"");
        Site back = export.read().site();
        assertThat(back.shells()).extracting(ShellAccess::name).containsExactly("pve1", "bastion", "worker");
        assertThat(back.shells().get(1).login()).isInstanceOf(ShellAccess.Password.class);
    }

    @Test
    void theSameFileIsTheSameSiteAtEveryRead() throws Exception {
        SiteFile file = file(WHOLE);
        assertThat(file.read().site()).isEqualTo(file.read().site());
    }

    @Test
    void aTildeIsThePersonsHomeAndOneKubeconfigNeedsNoList() throws Exception {
        Site site = file("{\"name\": \"a\", \"cluster\": {\"kubeconfig\": \"~/.kube/config\"}}").read().site();
        assertThat(site.cluster().orElseThrow().kubeconfigs())
                .containsExactly(Path.of(System.getProperty("user.home"), ".kube", "config"));
    }

    @Test
    void aFingerprintMayBeWrittenWithoutColonsAndInLowerCase() throws Exception {
        String text = WHOLE.replace(FINGERPRINT, FINGERPRINT.replace(":", "").toLowerCase());
        assertThat(file(text).read().site().proxmox().getFirst().fingerprint()).contains(FINGERPRINT);
    }

    @Test
    void everyCutThroughTheFileIsSaidWithItsPlace() throws Exception {
        for (int length = 1; length < WHOLE.stripTrailing().length(); length++) {
            Trouble trouble = trouble(WHOLE.substring(0, length));
            assertThat(trouble.kind()).isEqualTo(Trouble.Kind.UNREADABLE);
            assertThat(trouble.where()).startsWith(temp.resolve("site.json") + " line ");
            assertThat(trouble.what() + trouble.next()).doesNotContain("s3cret");
        }
    }

    @Test
    void halfAJsonIsSaidToBeHalf() throws IOException {
        Trouble trouble = trouble("{\"name\": \"a\",\n \"proxmox\": [{\"na");
        assertThat(trouble.where()).startsWith(temp.resolve("site.json") + " line 2 column ");
        assertThat(trouble.what()).isEqualTo("the file ends in the middle of the JSON document");
    }

    @Test
    void anEmptyFileAMissingFileAndAFolderAreSaid() throws IOException {
        assertThat(trouble("").what()).isEqualTo("the file is empty");
        assertThat(troubleOf(() -> new SiteFile(temp.resolve("none.json")).read()).kind()).isEqualTo(Trouble.Kind.MISSING);
        assertThat(troubleOf(() -> new SiteFile(temp).read()).what()).isEqualTo("this is a folder, not a site file");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "{\"name\": \"a\",}                                  | 1 | 14 | this is not valid JSON",
        "{\"name\": \"a\", \"name\": \"b\"}                  | 1 | 21 | this is not valid JSON: a field is there twice",
        "{\"name\": \"a\"} x                                 | 1 | 15 | this is not valid JSON",
        "{\"name\": \"a\"} {}                                | 1 | 15 | something follows after the end of the JSON document",
        "[]                                                  | 1 | 1  | a list stands where an object is expected",
        "{\"lab\": true}                                     | 1 | 1  | \"name\" is missing in this object",
        "{\"name\": 7}                                       | 1 | 10 | \"name\" is the number 7; a text in quotes is expected",
        "{\"name\": \"a\", \"lab\": \"yes\"}                 | 1 | 22 | \"lab\" is a text; true or false is expected",
        "{\"name\": \"a\", \"ssh\": {}}                      | 1 | 22 | \"ssh\" is an object; a list in [ ] is expected",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"port\": 70000, \"agent\": true}]} | 1 | 45 | \"port\" is the number 70000; a port from 1 to 65535 is expected",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"port\": 2.5, \"agent\": true}]} | 1 | 45 | \"port\" is a number with a fraction; a port from 1 to 65535 is expected",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\"}]}     | 1 | 23 | the entry \"h\" must say one way to sign in",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"agent\": true, \"role\": \"boss\"}]} | 1 | 60 | \"role\" is \"boss\", which is not known",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"agent\": true, \"jump\": \"x\"}]} | 1 | 60 | \"jump\" names \"x\", and no entry in \"ssh\" has that name",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"agent\": true, \"jump\": \"h\"}]} | 1 | 60 | the jumps go in a circle: \"h\" is reached through itself",
        "{\"name\": \"a\", \"ssh\": [{\"host\": \"h\", \"agent\": true, \"hostKey\": \"MD5:1\"}]} | 1 | 63 | \"hostKey\" does not begin with SHA256:",
        "{\"name\": \"a\", \"proxmox\": [{\"name\": \"p\", \"url\": \"pve1:8006\", \"token\": \"t\"}]} | 1 | 48 | \"url\" is not a web address without a user in it",
        "{\"name\": \"a\", \"proxmox\": [{\"name\": \"p\", \"url\": \"https://p:8006\"}]} | 1 | 27 | this entry does not say how to sign in",
        "{\"name\": \"a\", \"proxmox\": [{\"name\": \"p\", \"url\": \"https://p\", \"token\": \"t\", \"fingerprint\": \"AA\"}]} | 1 | 90 | \"fingerprint\" is not a SHA-256 fingerprint (32 bytes in hex)",
        "{\"name\": \"a\", \"proxmox\": [{\"name\": \"p\", \"url\": \"https://p\", \"token\": \"t\"}, {\"name\": \"p\", \"url\": \"https://p\", \"token\": \"t\"}]} | 1 | 85 | \"p\" is there twice in \"proxmox\"",
        "{\"name\": \"a\", \"prometheus\": {\"service\": \"prom\"}} | 1 | 41 | \"service\" is not of the form namespace/name:port",
        "{\"name\": \"a\", \"prometheus\": {\"service\": \"a/b:99999\"}} | 1 | 41 | the port in \"service\" is 99999",
        "{\"name\": \"a\", \"sources\": {\"charts\": \"https://h\"}} | 1 | 37 | \"sources\" names \"charts\", which is nothing that Pitwall fetches",
        "{\"name\": \"a\", \"sources\": {\"ollama-charts\": \"h/x\"}} | 1 | 44 | \"ollama-charts\" is not a web address without a user in it",
        "{\"name\": \"a\", \"cluster\": {}}                  | 1 | 26 | \"cluster\" names no kubeconfig",
    })
    void aMistakeIsPointedAt(String text, int line, int column, String what) throws IOException {
        Trouble trouble = trouble(text);
        assertThat(trouble.what()).isEqualTo(what);
        assertThat(trouble.where()).isEqualTo(at(line, column));
    }

    @Test
    void writingIntoAMissingFolderIsSaid() {
        SiteFile file = new SiteFile(temp.resolve("none/site.json"));
        Site site = new Site("1", "a", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);
        assertThat(troubleOf(() -> file.write(site)).kind()).isEqualTo(Trouble.Kind.RIGHTS);
    }

    @Test
    void aJumpThatIsNoEntryOfItsOwnIsKept() throws IOException, TroubleException {
        Site site = file("""
                {"name": "a", "ssh": [{"host": "h", "agent": true, "jump": {"host": "j", "user": "anna", "agent": true}}]}
                """).read().site();
        assertThat(site.shells()).hasSize(1);
        assertThat(site.shells().getFirst().jump().orElseThrow().user()).isEqualTo("anna");
    }
}
