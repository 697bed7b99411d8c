package dev.pitwall.lab.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.MetadataUtils;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Reads a talosconfig and dials, as a client does that knows nothing of the lab. */
final class TalosClient {
    private final JsonNode config;

    TalosClient(Path talosconfig) throws Exception {
        config = new YAMLMapper().readTree(talosconfig.toFile());
    }

    JsonNode context(String name) {
        return config.path("contexts").path(name);
    }

    /** @param endpoint empty for the context's first */
    ManagedChannel dial(String context, String endpoint) throws Exception {
        JsonNode with = context(context);
        KeyStore keys = store();
        keys.setKeyEntry("me", key(with), new char[0], new Certificate[] {certificate(with, "crt")});
        KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        key.init(keys, new char[0]);
        String target = endpoint.isEmpty() ? with.at("/endpoints/0").asText() : endpoint;
        return OkHttpChannelBuilder.forTarget("dns:///" + target, TlsChannelCredentials.newBuilder()
                .keyManager(key.getKeyManagers()).trustManager(trust(with).getTrustManagers()).build()).build();
    }

    /** A client that trusts the cluster and has no certificate to show. */
    ManagedChannel dialWithoutKey(String context, String endpoint) throws Exception {
        return OkHttpChannelBuilder.forTarget("dns:///" + endpoint, TlsChannelCredentials.newBuilder()
                .trustManager(trust(context(context)).getTrustManagers()).build()).build();
    }

    private static TrustManagerFactory trust(JsonNode with) throws Exception {
        KeyStore authorities = store();
        authorities.setCertificateEntry("ca", certificate(with, "ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        return trust;
    }

    /** Metadata that names the node a call is for, or several. */
    static io.grpc.ClientInterceptor to(String key, String... values) {
        Metadata metadata = new Metadata();
        for (String value : values) {
            metadata.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
        }
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    private static KeyStore store() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }

    private static X509Certificate certificate(JsonNode context, String name) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(
                new ByteArrayInputStream(Base64.getDecoder().decode(context.path(name).asText())));
    }

    private static PrivateKey key(JsonNode context) throws Exception {
        String pem = new String(Base64.getDecoder().decode(context.path("key").asText()));
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z0-9 ]+-----", ""));
        return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(der));
    }
}
