package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.Cluster;
import dev.pitwall.link.kube.Kubeconfig.User;
import dev.pitwall.site.ClusterAccess;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * A kubeconfig of one context with everything in it: files that the person's own names are read, and an exec plugin
 * is run, so that whoever gets this text needs neither a folder nor a plugin. It is a secret.
 */
public final class SignedIn {
    private static final String NAME = "pitwall";

    private final ClusterAccess access;
    private final InstantSource clock;

    public SignedIn(ClusterAccess access, InstantSource clock) {
        this.access = access;
        this.clock = clock;
    }

    /** @throws TroubleException if the person's kubeconfig cannot be used, or its plugin gives no credential */
    public byte[] kubeconfig() throws TroubleException {
        Kubeconfig.Target target = KubeconfigReader.read(access.kubeconfigs()).target(access.context());
        ObjectNode config = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Config")
                .put("current-context", NAME);
        config.putArray("clusters").addObject().put("name", NAME).set("cluster", cluster(target.cluster()));
        config.putArray("users").addObject().put("name", NAME).set("user", user(target));
        config.putArray("contexts").addObject().put("name", NAME).putObject("context").put("cluster", NAME)
                .put("user", NAME);
        // JSON is YAML.
        return config.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode cluster(Cluster cluster) throws TroubleException {
        ServerTrust trust = ServerTrust.of(cluster);
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("server", trust.base().toString());
        trust.authority().ifPresent(pem -> node.put("certificate-authority-data", base64(pem)));
        trust.tlsServerName().ifPresent(name -> node.put("tls-server-name", name));
        cluster.proxyUrl().ifPresent(url -> node.put("proxy-url", url));
        if (trust.skipVerify()) {
            node.put("insecure-skip-tls-verify", true);
        }
        return node;
    }

    private ObjectNode user(Kubeconfig.Target target) throws TroubleException {
        User user = target.user();
        SignIn.check(user);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (user.exec().isPresent()) {
            fromPlugin(new ExecPlugin(user.exec().get(), target, ExecPlugin.USUAL_LIMIT, clock).credential(),
                    node);
        } else {
            MaterialReader.read(user.certificate(), "client-certificate", user.place())
                    .ifPresent(pem -> node.put("client-certificate-data", base64(pem)));
            MaterialReader.read(user.key(), "client-key", user.place())
                    .ifPresent(pem -> node.put("client-key-data", base64(pem)));
            fromTexts(user, node);
        }
        impersonation(user, node);
        return node;
    }

    private static void fromPlugin(ExecPlugin.Credential credential, ObjectNode node) {
        credential.token().ifPresent(token -> node.put("token", token));
        if (credential.identity().isPresent()) {
            ClientIdentity client = credential.identity().get();
            node.put("client-certificate-data", base64(certificates(client)));
            node.put("client-key-data", base64(pem("PRIVATE KEY", client.key().getEncoded()).getBytes(
                    StandardCharsets.US_ASCII)));
        }
    }

    private static byte[] certificates(ClientIdentity client) {
        StringBuilder all = new StringBuilder();
        for (X509Certificate certificate : client.chain()) {
            try {
                all.append(pem("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("it was read from its own encoding", e);
            }
        }
        return all.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + what + "-----\n";
    }

    private static void fromTexts(User user, ObjectNode node) throws TroubleException {
        Optional<String> token = user.token();
        if (token.isEmpty() && user.tokenFile().isPresent()) {
            token = Optional.of(new String(MaterialReader.file(user.place().resolve(user.tokenFile().get()), "tokenFile",
                    user.place()), StandardCharsets.UTF_8).strip());
        }
        token.ifPresent(text -> node.put("token", text));
        user.userName().ifPresent(name -> node.put("username", name).put("password", user.password().orElse("")));
    }

    private static void impersonation(User user, ObjectNode node) {
        for (Map.Entry<String, String> header : user.impersonate()) {
            switch (header.getKey()) {
                case "Impersonate-User" -> node.put("as", header.getValue());
                case "Impersonate-Uid" -> node.put("as-uid", header.getValue());
                default -> node.withArray("as-groups").add(header.getValue());
            }
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
