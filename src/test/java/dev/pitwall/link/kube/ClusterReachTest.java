package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.pitwall.card.Trouble;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Reachability.Outcome;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterReachTest {
    private static final TestAuthority CA = new TestAuthority();
    private static final TestAuthority OTHER = new TestAuthority();
    private static final String REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    @TempDir
    private Path folder;
    private TestApi api;

    @AfterEach
    void stop() {
        if (api != null) {
            api.close();
        }
    }

    private TestApi serve(Duration validFor, String... names) throws Exception {
        api = new TestApi(CA.context(CA.server(validFor, names)), 0);
        api.answers.put(REVIEW, "{\"status\":{\"userInfo\":{\"username\":\"admin\"}}}");
        api.answers.put(ACCESS, "{\"status\":{\"allowed\":true}}");
        return api;
    }

    private Outcome test(String cluster, String user) {
        List<List<Hop>> shown = new ArrayList<>();
        Outcome outcome = new ClusterReach(TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system())
                .cluster(KubeconfigText.access(folder, cluster, user), shown::add);
        assertThat(shown.getLast()).isEqualTo(outcome.hops());
        outcome.hops().stream().flatMap(hop -> hop.trouble().stream()).forEach(trouble -> assertThat(trouble.where()
                + trouble.what() + trouble.next()).doesNotContain("Exception").doesNotContain("java."));
        return outcome;
    }

    private String server() {
        return "server: https://127.0.0.1:" + api.port() + "\ncertificate-authority-data: "
                + TestAuthority.base64(CA.pem());
    }

    private static Hop refused(Outcome outcome) {
        return outcome.hops().stream().filter(hop -> hop.state() == Hop.State.REFUSED).findFirst().orElseThrow();
    }

    private static String client(String algorithm, Duration validFor) {
        TestAuthority.Issued client = CA.client(algorithm, validFor);
        return "client-certificate-data: " + TestAuthority.base64(client.certificatePem()) + "\nclient-key-data: "
                + TestAuthority.base64(client.keyPem());
    }

    @ParameterizedTest
    @CsvSource({"RSA", "EC", "Ed25519"})
    void everyHopPassesWithAClientCertificate(String algorithm) throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");
        Outcome outcome = test(server(), client(algorithm, Duration.ofDays(1)));
        assertThat(outcome.hops()).allSatisfy(hop -> assertThat(hop.state()).isEqualTo(Hop.State.OK));
        assertThat(outcome.hops()).extracting(Hop::name).containsExactly("Kubeconfig", "Name", "Port " + api.port(),
                "TLS", "Credentials", "Sign-in", "Version", "GPU operator", "Rights");
        assertThat(outcome.hops()).extracting(Hop::text).contains("context basement, cluster home, user me",
                "as admin", "Kubernetes v1.33.5+rke2r1");
        assertThat(api.certificates).contains("CN=admin,O=system:masters");
        assertThat(outcome.identity().orElseThrow().subject()).contains("CN kube-apiserver");
        assertThat(outcome.notes()).isEmpty();
    }

    @Test
    void anExpiredServerCertificateStopsBeforeTheToken() throws Exception {
        serve(Duration.ofDays(-1), "127.0.0.1");
        Hop hop = refused(test(server(), "token: s3cret"));
        assertThat(hop.name()).isEqualTo("TLS");
        Trouble trouble = hop.trouble().orElseThrow();
        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.TLS);
        assertThat(trouble.where()).isEqualTo("basement (127.0.0.1:" + api.port() + ")");
        assertThat(trouble.what()).contains("has expired on");
        assertThat(trouble.next()).contains("kubeadm certs renew");
        assertThat(api.authorizations).isEmpty();
    }

    @Test
    void aCertificateForAnotherNameIsTold() throws Exception {
        serve(Duration.ofDays(1), "10.0.0.1");
        Hop hop = refused(test(server(), "token: s3cret"));
        assertThat(hop.trouble().orElseThrow().what()).isEqualTo("its certificate is made out to another name");
        assertThat(hop.trouble().orElseThrow().next()).contains("tls-san");
        assertThat(api.authorizations).isEmpty();
    }

    @Test
    void tlsServerNameIsAskedForAndChecked() throws Exception {
        serve(Duration.ofDays(1), "api.home");
        assertThat(test(server() + "\ntls-server-name: api.home", "token: t").passed()).isTrue();
    }

    @Test
    void aCertificateOfAnotherAuthorityIsTold() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");
        Outcome outcome = test("server: https://127.0.0.1:" + api.port() + "\ncertificate-authority-data: "
                + TestAuthority.base64(OTHER.pem()), "token: t");
        Hop hop = refused(outcome);
        assertThat(hop.trouble().orElseThrow().what()).contains("not signed by the certificate authority");
        assertThat(outcome.notes()).singleElement().asString().contains("which is this machine");
    }

    @Test
    void aKubeconfigWithoutAnAuthorityIsNotBlamedForAWrongOne() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");

        Trouble trouble = refused(test("server: https://127.0.0.1:" + api.port(), "token: t")).trouble().orElseThrow();

        assertThat(trouble.kind()).isEqualTo(Trouble.Kind.TLS);
        assertThat(trouble.what()).isEqualTo("the kubeconfig names no certificate authority, and this machine does not"
                + " trust the one that signed its certificate");
    }

    @Test
    void skipVerifyPassesAndSaysSo() throws Exception {
        serve(Duration.ofDays(1), "10.0.0.1");
        Outcome outcome = test("server: https://127.0.0.1:" + api.port() + "\ninsecure-skip-tls-verify: true",
                "token: t");
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops()).extracting(Hop::text).anyMatch(text -> text.contains("certificate not checked"));
    }

    @Test
    void aWrongTokenIsRefusedAtSignIn() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1").token = "right";
        Hop hop = refused(test(server(), "token: wrong"));
        assertThat(hop.name()).isEqualTo("Sign-in");
        assertThat(hop.trouble().orElseThrow().kind()).isEqualTo(Trouble.Kind.CREDENTIALS);
    }

    @Test
    void anExpiredClientCertificateIsSaidWithItsDay() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");
        Hop hop = refused(test(server(), client("EC", Duration.ofDays(-1))));
        assertThat(hop.name()).isEqualTo("Credentials");
        assertThat(hop.trouble().orElseThrow().what()).contains("expired on");
    }

    @Test
    void missingRightsComeWithTheCommandsThatGiveThem() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");
        api.answers.put(REVIEW, "{\"status\":{\"userInfo\":{\"username\":\"system:serviceaccount:ops:viewer\"}}}");
        api.answers.put(ACCESS, "{\"status\":{\"allowed\":false}}");
        Hop hop = refused(test(server(), "token: t"));
        assertThat(hop.name()).isEqualTo("Rights");
        assertThat(hop.trouble().orElseThrow().what())
                .startsWith("system:serviceaccount:ops:viewer may not list nodes,")
                .contains("get services/proxy and get pods/proxy in all namespaces");
        assertThat(hop.trouble().orElseThrow().next())
                .contains("kubectl create clusterrole pitwall --verb=get,list,watch "
                + "--resource=nodes,pods,services,daemonsets.apps,services/proxy,pods/proxy")
                .contains("--serviceaccount=ops:viewer");
    }

    @Test
    void whoMayNotKeepTheLeasePassesAndIsToldWhatIsLost() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1");
        api.answers.put("/apis/coordination.k8s.io/v1/leases",
                "{\"items\":[{\"metadata\":{\"name\":\"pitwall-engine\",\"namespace\":\"ops\"}}]}");
        api.denied = "\"leases\"";
        Outcome outcome = test(server(), "token: t");
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.notes()).singleElement().asString()
                .startsWith("admin may not get, create and update leases.coordination.k8s.io in namespace ops.")
                .contains("the Board only watches")
                .contains("kubectl create role pitwall-engine --namespace=ops --verb=get,create,update --resource=leases.coordination.k8s.io")
                .contains("--namespace=ops --role=pitwall-engine --user=admin");
    }

    @Test
    void aServerWithoutTlsIsTold() {
        api = new TestApi();
        Hop hop = refused(test(server(), "token: t"));
        assertThat(hop.trouble().orElseThrow().what()).isEqualTo("answers, but not with TLS");
    }

    @Test
    void aProxyIsTakenWhereTheKubeconfigNamesOne() {
        api = new TestApi();
        api.answers.put(REVIEW, "{\"status\":{\"userInfo\":{\"username\":\"admin\"}}}");
        api.answers.put(ACCESS, "{\"status\":{\"allowed\":true}}");
        Outcome outcome = test("server: http://only-the-proxy-knows.invalid:6443\nproxy-url: http://127.0.0.1:"
                + api.port(), "token: t");
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops().get(2).text()).isEqualTo("connected to the proxy");
    }

    @Test
    void anExecPluginsTokenIsSentAndRenewedOnceAfterARefusal() throws Exception {
        serve(Duration.ofDays(1), "127.0.0.1").token = "fresh";
        Path plugin = Files.writeString(folder.resolve("login"), """
                #!/bin/sh
                cd "$(dirname "$0")"
                T=stale; [ -e ran ] && T=fresh; touch ran
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",'
                echo '"status":{"token":"'$T'"}}'
                """);
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        Outcome outcome = test(server(), "exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1, "
                + "interactiveMode: IfAvailable}");
        assertThat(outcome.passed()).isTrue();
        assertThat(outcome.hops()).extracting(Hop::text).contains("exec login ran");
        assertThat(api.authorizations).startsWith("Bearer stale", "Bearer fresh").doesNotContain("null");
    }

    @Test
    void aBrokenKubeconfigIsTheFirstHop() {
        Outcome outcome = test("server: https://x:6443\n\tbad: 1", "token: t");
        assertThat(outcome.hops()).hasSize(1);
        assertThat(refused(outcome).name()).isEqualTo("Kubeconfig");
    }
}
