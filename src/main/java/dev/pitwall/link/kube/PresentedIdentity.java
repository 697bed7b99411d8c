package dev.pitwall.link.kube;

import dev.pitwall.link.trust.ClientIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Presents the client certificate of the moment: an exec plugin may give a new one while connections are made. */
final class PresentedIdentity extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final Supplier<Optional<ClientIdentity>> identity;

    PresentedIdentity(Supplier<Optional<ClientIdentity>> identity) {
        this.identity = identity;
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return choose(keyTypes);
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return choose(keyTypes);
    }

    private String choose(String[] keyTypes) {
        return identity.get().filter(client -> Arrays.asList(keyTypes).contains(client.key().getAlgorithm()))
                .map(client -> ALIAS).orElse(null);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return identity.get().map(client -> client.chain().toArray(X509Certificate[]::new)).orElse(null);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity.get().map(ClientIdentity::key).orElse(null);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return null;
    }
}
