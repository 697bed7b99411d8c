package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.pitwall.card.Trouble;
import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.KubeconfigCatalog.ContextEntry;
import dev.pitwall.site.KubeconfigCatalog.Found;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeconfigFilesTest {
    private static final TestAuthority CA = new TestAuthority();

    @TempDir
    private Path folder;

    private Found read(String text) {
        return catalog(Map.of()).read(KubeconfigText.access(folder, text).kubeconfigs());
    }

    private KubeconfigCatalog catalog(Map<String, String> environment) {
        return new KubeconfigFiles(folder.resolve("root"), folder.resolve("home"), environment);
    }

    private Path write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Trouble context(Found found) {
        return found.contexts().getFirst().trouble().orElseThrow();
    }

    private static void sane(Trouble trouble) {
        assertThat(trouble.where() + trouble.what() + trouble.next())
                .doesNotContain("Exception").doesNotContain("java.").doesNotContain("null").doesNotContain("snakeyaml");
        assertThat(trouble.next()).endsWith(".");
    }

    @Test
    void severalFilesAreMergedAsKubectlDoes() throws IOException {
        Path first = write("a/config", """
                current-context: one
                contexts:
                - {name: one, context: {cluster: home, user: me}}
                clusters:
                - {name: home, cluster: {server: "https://first:6443"}}
                """);
        Path second = write("b/config", """
                current-context: two
                contexts:
                - {name: one, context: {cluster: other, user: other}}
                - {name: two, context: {cluster: home, user: me}}
                clusters:
                - {name: home, cluster: {server: "https://second:6443"}}
                users:
                - {name: me, user: {tokenFile: token}}
                """);
        write("b/token", "secret");
        List<Found> all = catalog(Map.of("KUBECONFIG", first + File.pathSeparator + folder.resolve("absent")
                + File.pathSeparator + File.pathSeparator + second)).find();
        assertThat(all).hasSize(1);
        Found found = all.getFirst();
        assertThat(found.origin()).isEqualTo("KUBECONFIG");
        assertThat(found.current()).contains("one");
        assertThat(found.contexts()).extracting(ContextEntry::name).containsExactly("one", "two");
        assertThat(found.contexts()).extracting(ContextEntry::server).containsOnly("https://first:6443");
        assertThat(found.contexts()).extracting(ContextEntry::auth).containsOnly("token file");
        assertThat(found.contexts()).allSatisfy(entry -> assertThat(entry.trouble())
                .as("the token file is looked for beside the file that names it").isEmpty());
    }

    @Test
    void everyUsualPlaceIsLookedAt() throws IOException {
        String text = KubeconfigText.of("server: https://127.0.0.1:6443", "token: t");
        write("home/.kube/config", text);
        write("root/etc/rancher/rke2/rke2.yaml", text);
        write("root/etc/rancher/k3s/k3s.yaml", text);
        write("root/var/snap/microk8s/current/credentials/client.config", text);
        write("root/etc/kubernetes/admin.conf", text);
        write("home/.talos/config", "context: t\ncontexts:\n  t:\n    endpoints: [10.0.0.1]\n");
        List<Found> all = catalog(Map.of()).find();
        assertThat(all).extracting(Found::origin)
                .containsExactly("~/.kube/config", "RKE2", "k3s", "MicroK8s", "kubeadm", "Talos");
        Trouble talos = all.getLast().trouble().orElseThrow();
        assertThat(talos.what()).isEqualTo("this is talosctl's own configuration, not a kubeconfig");
        assertThat(talos.next()).contains("talosctl kubeconfig");
        write("home/.talos/kubeconfig", text);
        assertThat(catalog(Map.of()).find().getLast().trouble()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: b\\n\\tc: d                         | 2 | a tab
            contexts:\\n- name: x\\n  y: z: w       | 3 | a colon where no key can be
            clusters: "open\\nnext: 1              | 2 | ends in the middle
            clusters:\\n  - name: a\\n - name: b    | 3 | indentation
            """)
    void brokenYamlIsSaidWithItsLine(String text, int line, String reason) {
        Trouble trouble = read(text.replace("\\n", "\n").replace("\\t", "\t")).trouble().orElseThrow();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.UNREADABLE);
        assertThat(trouble.where()).endsWith("config line " + line);
        assertThat(trouble.what()).contains(reason);
        sane(trouble);
    }

    @Test
    void aContextWhoseUserOrClusterIsMissingNamesItsLine() {
        Found found = read("""
                contexts:
                - {name: a, context: {cluster: home, user: ghost}}
                - {name: b, context: {cluster: ghost, user: me}}
                clusters:
                - {name: home, cluster: {server: "https://x:6443"}}
                users:
                - {name: me, user: {token: t}}
                """);
        assertThat(found.trouble()).isEmpty();
        assertThat(found.contexts()).extracting(entry -> entry.trouble().orElseThrow().what()).containsExactly(
                "context \"a\" refers to user \"ghost\", which is not there",
                "context \"b\" refers to cluster \"ghost\", which is not there");
        assertThat(context(found).kind()).isEqualTo(Trouble.Kind.MISSING);
        assertThat(context(found).where()).endsWith("config line 2");
        sane(context(found));
    }

    @Test
    void aMissingCertificateFileIsNamed() {
        Found found = read(KubeconfigText.of("server: https://x:6443\ncertificate-authority: pki/ca.crt", "token: t"));
        assertThat(context(found).kind()).isEqualTo(Trouble.Kind.MISSING);
        assertThat(context(found).where()).endsWith("config line 10");
        assertThat(context(found).what()).isEqualTo("certificate-authority names the file " + HomePath.shorten(
                folder.resolve("pki/ca.crt")) + ", which is not there");
        sane(context(found));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            client-certificate-data: "%%%"\\nclient-key-data: QUJD | UNREADABLE | client-certificate-data is not base64
            client-certificate-data: QUJD\\nclient-key-data: QUJD  | UNREADABLE | the client certificate is not a certificate in PEM form
            client-key-data: QUJD                                  | UNREADABLE | has a client-key but no client-certificate
            auth-provider: {name: gcp}                             | CREDENTIALS | auth-provider "gcp", which Kubernetes no longer supports
            exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1} | CREDENTIALS | which Kubernetes no longer supports
            exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always} | CREDENTIALS | needs a terminal
            tokenFile: nowhere                                     | MISSING | tokenFile names the file
            """)
    void whatCannotSignInIsSaid(String user, Trouble.Kind kind, String what) {
        Found found = read(KubeconfigText.of("server: https://x:6443", user.replace("\\n", "\n")));
        assertThat(context(found).kind()).isEqualTo(kind);
        assertThat(context(found).what()).contains(what);
        sane(context(found));
    }

    @ParameterizedTest
    @CsvSource({"RSA", "EC", "Ed25519"})
    void clientCertificatesOfEveryKindAreRead(String algorithm) {
        TestAuthority.Issued client = CA.client(algorithm, Duration.ofDays(1));
        for (String key : List.of(client.keyPem(), client.keyPkcs8())) {
            Found found = read(KubeconfigText.of("server: https://x:6443", "client-certificate-data: "
                    + TestAuthority.base64(client.certificatePem()) + "\nclient-key-data: "
                    + TestAuthority.base64(key)));
            assertThat(found.contexts().getFirst().trouble()).isEmpty();
            assertThat(found.contexts().getFirst().auth()).isEqualTo("client certificate");
        }
    }

    @Test
    void aKeyOfAnotherCertificateIsNoticed() {
        Found found = read(KubeconfigText.of("server: https://x:6443", "client-certificate-data: "
                + TestAuthority.base64(CA.client("EC", Duration.ofDays(1)).certificatePem()) + "\nclient-key-data: "
                + TestAuthority.base64(CA.client("EC", Duration.ofDays(1)).keyPem())));
        assertThat(context(found).what()).isEqualTo(
                "the client certificate and the client key do not belong together");
    }

    @Test
    void otherFilesAreNotTakenForKubeconfigs() throws IOException {
        assertThat(read("apiVersion: v1\nkind: Pod\n").trouble().orElseThrow().what()).contains("not a kubeconfig");
        assertThat(read("just text").trouble().orElseThrow().what()).contains("not a kubeconfig");
        assertThat(read("").trouble().orElseThrow().what()).isEqualTo("it has no context");
        assertThat(catalog(Map.of()).read(List.of(folder)).trouble().orElseThrow().what()).isEqualTo("it is a folder");
        assertThat(catalog(Map.of()).read(List.of(folder.resolve("no"))).trouble().orElseThrow().kind())
                .isEqualTo(Trouble.Kind.MISSING);
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThat(catalog(Map.of()).read(List.of(binary)).trouble().orElseThrow().what()).contains("not a text file");
    }

    @Test
    void anUnreadableFileComesWithTheCommandThatCopiesIt() {
        Trouble trouble = KubeconfigFiles.unreadable(Path.of("/etc/rancher/rke2/rke2.yaml"));
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.RIGHTS);
        assertThat(trouble.next()).isEqualTo("Run \"sudo install -D -m 600 -o " + System.getProperty("user.name")
                + " /etc/rancher/rke2/rke2.yaml ~/.kube/rke2.yaml\" and choose that copy.");
    }

    @Test
    void secretsAreNotPrinted() throws Exception {
        Kubeconfig kubeconfig = KubeconfigReader.read(KubeconfigText.access(folder, "server: https://x:6443",
                "token: s3cret\npassword: s3cret\nclient-key-data: s3cret").kubeconfigs());
        assertThat(kubeconfig.toString()).doesNotContain("s3cret");
    }
}
