package dev.pitwall.store;

import dev.pitwall.site.Supply;
import dev.pitwall.site.TalosAccess;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

import java.net.URI;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Sites of every shape. */
final class SiteSamples {
    private SiteSamples() {
    }

    /** Names people choose: quotes, umlauts, control characters, a right-to-left letter, an emoji. */
    static Arbitrary<String> names() {
        return Arbitraries.strings().withCharRange('a', 'z').withCharRange('A', 'Z').withChars("0123456789 .-_\"\\/'äß\u0005\t{}[]:,א")
                .ofMinLength(1).ofMaxLength(12).map(name -> "n" + name)
                .flatMap(name -> Arbitraries.of(name, name + "\uD83D\uDE00"));
    }

    private static Arbitrary<SecretRef> refs() {
        return names().map(SecretRef::new);
    }

    private static Arbitrary<String> fingerprints() {
        return Arbitraries.bytes().array(byte[].class).ofSize(32)
                .map(bytes -> HexFormat.ofDelimiter(":").withUpperCase().formatHex(bytes));
    }

    private static Arbitrary<Integer> ports() {
        return Arbitraries.integers().between(1, 65535);
    }

    private static Arbitrary<URI> urls() {
        return ports().flatMap(port -> Arbitraries.of("https://pve1.lan:" + port, "http://127.0.0.1:" + port + "/base",
                "https://[fe80::1]:" + port)).map(URI::create);
    }

    private static Arbitrary<ProxmoxAccess> proxmox() {
        Arbitrary<ProxmoxAccess.Login> logins = Arbitraries.oneOf(
                Combinators.combine(names(), refs()).as(ProxmoxAccess.Token::new),
                Combinators.combine(names(), refs()).as(ProxmoxAccess.Password::new));
        return Combinators.combine(names(), urls(), logins, fingerprints().optional()).as(ProxmoxAccess::new);
    }

    private static Arbitrary<ShellAccess> shells(Path folder, int jumps) {
        Arbitrary<ShellAccess.Login> logins = Arbitraries.oneOf(
                Combinators.combine(paths(folder), refs().optional()).as(ShellAccess.KeyFile::new),
                Arbitraries.just(new ShellAccess.Agent()),
                refs().map(ShellAccess.Password::new));
        Arbitrary<ShellAccess> jump = jumps == 0 ? null : shells(folder, jumps - 1);
        return Combinators.combine(names(), Arbitraries.of(ShellAccess.Role.values()), names(), ports(), names(), logins,
                        names().map(key -> "SHA256:" + key).optional(),
                        jump == null ? Arbitraries.just(Optional.<ShellAccess>empty()) : jump.optional(0.4))
                .as(ShellAccess::new);
    }

    private static Arbitrary<Path> paths(Path folder) {
        return Arbitraries.of("id_ed25519", "keys/id rsa", "../kube config", "a\"b").map(name -> folder.resolve(name).normalize());
    }

    private static Arbitrary<Endpoint> endpoints() {
        Arbitrary<String> dns = Arbitraries.strings().withCharRange('a', 'z').withChars("-.0").ofMinLength(1).ofMaxLength(9);
        Arbitrary<String> schemes = Arbitraries.of("http", "https");
        return Arbitraries.oneOf(urls().map(Endpoint.Url::new),
                Combinators.combine(dns, dns, ports(), schemes).as(Endpoint.Service::new),
                Combinators.combine(dns, dns, ports(), schemes).as(Endpoint.Pod::new));
    }

    /** @param folder where the files of the site lie */
    static Arbitrary<Site> sites(Path folder) {
        Arbitrary<ClusterAccess> clusters = Combinators.combine(paths(folder).list().ofMinSize(1).ofMaxSize(3), names().optional())
                .as(ClusterAccess::new);
        Arbitrary<ServerAccess> servers = Combinators.combine(names(), endpoints(), names().optional()).as(ServerAccess::new);
        return Combinators.combine(Arbitraries.create(() -> UUID.randomUUID().toString()), names(),
                proxmox().list().uniqueElements(ProxmoxAccess::name).ofMaxSize(3),
                shells(folder, 2).list().uniqueElements(ShellAccess::name).ofMaxSize(4).map(SiteSamples::someThroughTheFirst),
                clusters.optional(), endpoints().map(MetricsAccess::new).optional(),
                servers.list().uniqueElements(ServerAccess::name).ofMaxSize(3),
                Combinators.combine(Arbitraries.maps(Arbitraries.of(Supply.values()).map(Supply::key), urls()), Combinators.combine(paths(folder), names().optional()).as(TalosAccess::new).optional(),
                        Arbitraries.of(true, false)).as(Rest::new)).as((id, name, proxmox, shells, cluster, metrics, all, rest) -> new Site(id, name,
                proxmox, shells, cluster, metrics, all, rest.sources(), rest.talos(), rest.lab()));
    }

    /** What goes beyond the eight that can be combined. */
    private record Rest(Map<String, URI> sources, Optional<TalosAccess> talos, boolean lab) {
    }

    /** The usual case: a jump host that is itself in the list. */
    private static List<ShellAccess> someThroughTheFirst(List<ShellAccess> shells) {
        return shells.stream().map(shell -> shell == shells.getFirst() || shell.port() % 2 == 0 ? shell
                : new ShellAccess(shell.name(), shell.role(), shell.host(), shell.port(), shell.user(), shell.login(),
                shell.hostKey(), Optional.of(shells.getFirst()))).toList();
    }
}
