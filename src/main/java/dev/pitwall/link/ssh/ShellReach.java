package dev.pitwall.link.ssh;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.Way;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.Reachability.Outcome;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Goes the way to a shell hop by hop. Neither key nor password leaves before the host key is trusted. */
public final class ShellReach {
    private static final List<String> TOOLS = List.of("lspci", "mokutil", "nvidia-smi");

    private final Secrets secrets;
    private final KnownHosts knownHosts;
    private final Optional<Path> agentSocket;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final Words words;

    public ShellReach(Secrets secrets, KnownHosts knownHosts, Optional<Path> agentSocket, Limits limits,
                      NetworkTrouble troubles) {
        this.secrets = secrets;
        this.knownHosts = knownHosts;
        this.agentSocket = agentSocket;
        this.limits = limits;
        this.troubles = troubles;
        this.words = troubles.words();
    }

    /** @param secret password or passphrase as typed */
    public Outcome test(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress) {
        return new Test(access, secret, progress).run();
    }

    /** One test, and what it has found so far. */
    private final class Test {
        private final ShellAccess access;
        private final Place place;
        private final SshConnector connector;
        private final HostKeyCheck check;
        private final HopRun run;
        private final Way way;
        private final List<String> notes = new ArrayList<>();
        private Optional<Identity> identity = Optional.empty();

        Test(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress) {
            this.access = access;
            this.place = SshConnector.place(access);
            this.connector = new SshConnector(new SshEngine(limits), knownHosts,
                    ShellSecrets.typed(access, secret, secrets), agentSocket, limits, troubles);
            this.check = connector.check(access);
            this.run = new HopRun(progress);
            this.way = new Way(troubles, limits);
        }

        Outcome run() {
            plan();
            try (connector) {
                connected().ifPresent(this::signedIn);
            } catch (TroubleException e) {
                // Its hop shows it; the ones after it stay to do.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return run.outcome(identity, notes);
        }

        private void plan() {
            if (access.jump().isPresent()) {
                run.plan(jumpHop(), words.text("hop.jump.then"));
            } else {
                way.plan(run, place);
                run.plan(words.text("hop.ssh"), words.text("hop.ssh.then"));
            }
            run.plan(words.text("hop.hostkey"), words.text("hop.hostkey.then"))
                    .plan(words.text("hop.shell"), words.text("hop.shell.then"))
                    .plan(words.text("hop.root"), words.text("hop.root.then"))
                    .plan(words.text("hop.tools"), words.text("hop.tools.then", "tools", String.join(", ", TOOLS)));
        }

        private String jumpHop() {
            return words.text("hop.jump", "jump", access.jump().map(ShellAccess::name).orElse(""));
        }

        /** The session with its host key accepted; empty where that waits for the person. */
        private Optional<SshSession> connected() throws TroubleException, InterruptedException {
            if (access.jump().isEmpty()) {
                InetAddress address = way.go(run, place);
                run.step(words.text("hop.ssh"), words.text("hop.ssh.now"),
                        () -> new Greeting(troubles, limits.connect()).read(address, place));
                return hostKey(() -> connector.connect(access, check));
            }
            SshSession jump = run.step(jumpHop(), words.text("hop.jump.now"), () -> {
                SshSession session = connector.connect(access.jump().get());
                session.login();
                return new Found<>(session, words.text("hop.jump.ok"));
            });
            return hostKey(() -> connector.connectThrough(jump, access, check));
        }

        @FunctionalInterface
        private interface Connecting {
            SshSession go() throws TroubleException, InterruptedException;
        }

        /** A first contact asks; a change is refused. */
        private Optional<SshSession> hostKey(Connecting connecting) throws TroubleException, InterruptedException {
            Optional<SshSession> session = run.step(words.text("hop.hostkey"), words.text("hop.hostkey.now"), () -> {
                try {
                    return new Found<>(Optional.of(connecting.go()), words.text("hop.hostkey.ok"));
                } catch (TroubleException e) {
                    if (e.trouble().kind() == Kind.TRUST && check.firstContact()) {
                        return new Found<>(Optional.<SshSession>empty(), words.text("hop.hostkey.asks"));
                    }
                    throw e;
                } finally {
                    identity = check.identity();
                }
            });
            if (session.isEmpty()) {
                run.asks(words.text("hop.hostkey"), words.text("hop.hostkey.asks"));
            }
            return session;
        }

        private void signedIn(SshSession session) {
            try (session) {
                run.step(words.text("hop.shell"), words.text("hop.shell.now"), () -> {
                    session.login();
                    return new Found<>(true, words.text("hop.shell.ok", "user", access.user()));
                });
                run.step(words.text("hop.root"), words.text("hop.root.now"), () -> root(session));
                run.step(words.text("hop.tools"), words.text("hop.tools.now"), () -> tools(session));
            } catch (TroubleException e) {
                // Its hop shows it; the ones after it stay to do.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** A Proxmox host is of no use without root; a node still tells most of what is asked. */
        private Found<Boolean> root(SshSession session) throws TroubleException, InterruptedException {
            String uid = session.run(RemoteCommand.of(limits.answer(), "id", "-u")).output().strip();
            if (uid.equals("0")) {
                return new Found<>(true, words.text("hop.root.ok"));
            }
            if (access.role() == ShellAccess.Role.PROXMOX_HOST) {
                throw words.failure(Kind.RIGHTS, place, "ssh.notroot", "user", access.user());
            }
            notes.add(words.text("note.notroot", "user", access.user()));
            return new Found<>(false, words.text("hop.root.not", "user", access.user()));
        }

        private Found<Boolean> tools(SshSession session) throws TroubleException, InterruptedException {
            List<String> there = new ArrayList<>();
            for (String tool : TOOLS) {
                if (session.run(RemoteCommand.of(limits.answer(), "command", "-v", tool)).ok()) {
                    there.add(tool);
                }
            }
            if (!there.contains("lspci")) {
                throw words.failure(Kind.MISSING, place, "ssh.nolspci");
            }
            List<String> absent = TOOLS.stream().filter(tool -> !there.contains(tool)).toList();
            return new Found<>(true, absent.isEmpty() ? String.join(", ", there)
                    : words.text("hop.tools.some", "there", String.join(", ", there),
                            "absent", String.join(", ", absent)));
        }
    }
}
