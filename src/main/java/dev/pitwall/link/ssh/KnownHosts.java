package dev.pitwall.link.ssh;

import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** OpenSSH's {@code known_hosts}, read only. Certificate authorities in it are left out: host certificates are not used. */
public final class KnownHosts {
    private static final Logger LOG = LoggerFactory.getLogger(KnownHosts.class);

    private final List<Path> files;

    /** @param files those that exist are read at each question */
    public KnownHosts(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /**
     * The keys a machine is known by.
     *
     * @param revoked keys marked as never to be accepted
     */
    record Keys(List<PublicKey> accepted, List<PublicKey> revoked) {
    }

    Keys of(String host, int port) {
        Map<Boolean, List<PublicKey>> keys = files.stream().flatMap(file -> entries(file).stream())
                .filter(entry -> entry.isHostMatch(host, port))
                .filter(entry -> entry.getMarker() == null || entry.getMarker().equals("revoked"))
                .flatMap(entry -> key(entry).stream().map(key -> Map.entry(entry.getMarker() != null, key)))
                .collect(Collectors.partitioningBy(Map.Entry::getKey,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        return new Keys(keys.get(false), keys.get(true));
    }

    private static List<KnownHostEntry> entries(Path file) {
        if (!Files.isReadable(file)) {
            return List.of();
        }
        try {
            return KnownHostEntry.readKnownHostEntries(file);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} could not be read and is ignored", file, e);
            return List.of();
        }
    }

    private static List<PublicKey> key(KnownHostEntry entry) {
        PublicKeyEntry key = entry.getKeyEntry();
        try {
            PublicKey resolved = key == null ? null : key.resolvePublicKey(null, Map.of(), null);
            return resolved == null ? List.of() : List.of(resolved);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            LOG.debug("a line of known_hosts has a key of an unknown form", e);
            return List.of();
        }
    }
}
