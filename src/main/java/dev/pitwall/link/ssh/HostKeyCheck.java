package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Identity;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;

import java.net.SocketAddress;
import java.security.PublicKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Decides whether a machine is the one it should be, before anything is proved to it. A pinned key is the only one
 * accepted; without a pin, {@code known_hosts} decides; a machine neither knows is refused until it is trusted.
 */
final class HostKeyCheck implements ServerKeyVerifier {
    private final Optional<String> pin;
    private final KnownHosts.Keys known;
    private final Place place;
    private final Words words;
    private final AtomicReference<PublicKey> shown = new AtomicReference<>();

    /** @param pin {@code SHA256:…} */
    HostKeyCheck(Optional<String> pin, KnownHosts.Keys known, Place place, Words words) {
        this.pin = pin;
        this.known = known;
        this.place = place;
        this.words = words;
    }

    @Override
    public boolean verifyServerKey(ClientSession session, SocketAddress address, PublicKey key) {
        shown.set(key);
        return refusal().isEmpty();
    }

    /** Why the key that was shown is not accepted; empty also while none was shown. */
    Optional<Trouble> refusal() {
        return Optional.ofNullable(shown.get()).flatMap(this::refusal);
    }

    private Optional<Trouble> refusal(PublicKey key) {
        String fingerprint = KeyUtils.getFingerPrint(key);
        if (contains(known.revoked(), key)) {
            return Optional.of(words.trouble(Kind.TRUST, place, "ssh.revoked", "shown", fingerprint));
        }
        if (pin.isPresent()) {
            return pin.get().equals(fingerprint) ? Optional.empty() : changed(pin.get(), fingerprint);
        }
        if (contains(known.accepted(), key)) {
            return Optional.empty();
        }
        return known.accepted().isEmpty()
                ? Optional.of(words.trouble(Kind.TRUST, place, "ssh.unknown", "shown", fingerprint))
                : changed(known.accepted().stream().map(KeyUtils::getFingerPrint)
                        .collect(Collectors.joining(", ")), fingerprint);
    }

    private Optional<Trouble> changed(String before, String now) {
        return Optional.of(words.trouble(Kind.TRUST, place, "ssh.changed", "pinned", before, "shown", now));
    }

    private static boolean contains(List<PublicKey> keys, PublicKey key) {
        return keys.stream().anyMatch(k -> KeyUtils.compareKeys(k, key));
    }

    /** True if a key was shown that no pin and no line of {@code known_hosts} speaks about. */
    boolean firstContact() {
        return shown.get() != null && pin.isEmpty() && known.accepted().isEmpty()
                && !contains(known.revoked(), shown.get());
    }

    /** What the machine showed. */
    Optional<Identity> identity() {
        return Optional.ofNullable(shown.get()).map(key -> new Identity(type(key) + " host key",
                KeyUtils.getFingerPrint(key), Optional.empty(), Optional.empty(), Optional.empty(),
                "ssh-keygen -lf /etc/ssh/ssh_host_" + type(key).toLowerCase(Locale.ROOT) + "_key.pub"));
    }

    /** Kinds of keys this machine is known by, so that it is asked for one of them. */
    List<String> knownTypes() {
        return known.accepted().stream().map(KeyUtils::getKeyType).distinct().toList();
    }

    private static String type(PublicKey key) {
        String type = KeyUtils.getKeyType(key);
        return switch (type) {
            case "ssh-ed25519" -> "ED25519";
            case "ssh-rsa" -> "RSA";
            default -> type.startsWith("ecdsa") ? "ECDSA" : type;
        };
    }
}
