package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;
import dev.pitwall.lab.ssh.shell.Wording;
import dev.pitwall.lab.world.LabClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Programs that answer otherwise in a container than on a machine, or that only images have. */
final class ContainerPrograms {
    private static final int UNSERVED = 127;

    private ContainerPrograms() {
    }

    static Map<String, Command> of(Inside inside) {
        return Map.of("ps", call -> ps(call, inside), "id", call -> id(call, inside.user()),
                "whoami", call -> whoami(call, inside.user()), "seq", ContainerPrograms::seq,
                "sleep", ContainerPrograms::sleep, "timeout", ContainerPrograms::timeout);
    }

    /** Of a program that is in the image. */
    static int unserved(Call call) {
        return call.fail(UNSERVED, "this program is not run in this practice lab");
    }

    /** As busybox prints it; other small images have none. */
    private static int ps(Call call, Inside inside) {
        String user = inside.user() == 0 ? "root" : Long.toString(inside.user());
        List<String> lines = new ArrayList<>(inside.processes());
        lines.add("ps" + (call.arguments().isEmpty() ? "" : " " + String.join(" ", call.arguments())));
        call.out().println("PID   USER     TIME  COMMAND");
        for (int i = 0; i < lines.size(); i++) {
            // The shell that started it has had the number before.
            int pid = i == lines.size() - 1 ? i + 7 : i + 1;
            call.out().printf("%5d %-8s  0:00 %s%n", pid, user, lines.get(i));
        }
        return Call.OK;
    }

    private static int id(Call call, long user) {
        String name = user == 0 ? "root" : "";
        if (call.has('u')) {
            call.out().println(call.has('n') && !name.isEmpty() ? name : Long.toString(user));
        } else if (call.has('g')) {
            call.out().println(call.has('n') ? "root" : "0");
        } else {
            call.out().println("uid=" + user + (name.isEmpty() ? "" : "(root)") + " gid=0(root) groups=0(root)");
        }
        return Call.OK;
    }

    private static int whoami(Call call, long user) {
        if (user != 0) {
            return call.fail(1, "unknown uid " + user);
        }
        call.out().println("root");
        return Call.OK;
    }

    private static int seq(Call call) {
        List<String> numbers = call.arguments();
        if (numbers.isEmpty() || numbers.size() > 3 || !numbers.stream().allMatch(n -> n.matches("-?\\d{1,9}"))) {
            return call.fail(1, numbers.isEmpty() ? "missing operand" : "invalid number '" + numbers.getFirst() + "'");
        }
        long first = numbers.size() > 1 ? Long.parseLong(numbers.getFirst()) : 1;
        long step = numbers.size() > 2 ? Long.parseLong(numbers.get(1)) : 1;
        long last = Long.parseLong(numbers.getLast());
        if (step == 0) {
            return call.fail(1, "invalid Zero increment value: '0'");
        }
        for (long n = first; step > 0 ? n <= last : n >= last; n += step) {
            call.out().println(n);
        }
        return Call.OK;
    }

    /** Waits as long as the lab's time says. */
    private static int sleep(Call call) throws IOException {
        Optional<Duration> nap = nap(call);
        if (nap.isEmpty()) {
            return 1;
        }
        LabClock clock = call.machine().world().clock();
        try {
            // Whoever hangs up interrupts it.
            clock.await(clock.instant().plus(nap.get()));
            return Call.OK;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the client has gone", e);
        }
    }

    /** @return empty if it has said that there is none */
    static Optional<Duration> nap(Call call) {
        Optional<Duration> nap = call.arguments().isEmpty() ? Optional.empty() : Naps.of(call.arguments().getFirst());
        if (nap.isEmpty()) {
            call.fail(1, call.arguments().isEmpty() ? "missing operand"
                    : "invalid number '" + call.arguments().getFirst() + "'");
        }
        return nap;
    }

    /** What it is to run, without the time. */
    static List<String> timed(Call call) {
        List<String> words = new ArrayList<>(call.arguments());
        while (!words.isEmpty() && words.getFirst().startsWith("-")) {
            words.removeFirst();
        }
        return words;
    }

    private static int timeout(Call call) throws IOException {
        List<String> words = timed(call);
        if (words.size() < 2 || Naps.of(words.getFirst()).isEmpty()) {
            return wrongTimeout(call, words);
        }
        LabClock clock = call.machine().world().clock();
        Instant until = clock.instant().plus(Naps.of(words.getFirst()).get());
        Thread running = Thread.currentThread();
        Thread watch = Thread.ofVirtual().name("lab-timeout").start(() -> {
            try {
                clock.await(until);
                running.interrupt();
            } catch (InterruptedException e) {
                // It has ended in time.
                Thread.currentThread().interrupt();
            }
        });
        try {
            return call.shell().inner().command(words.subList(1, words.size()), call.in(), call.out(), call.err());
        } catch (IOException stopped) {
            if (clock.instant().isBefore(until)) {
                throw stopped;
            }
            Thread.interrupted();
            return timedOut(call.shell().wording());
        } finally {
            watch.interrupt();
        }
    }

    static int wrongTimeout(Call call, List<String> words) {
        return call.fail(125, words.isEmpty() ? "missing operand" : "invalid time interval '" + words.getFirst() + "'");
    }

    /** Busybox's ends as what it has killed, GNU's with a status of its own. */
    static int timedOut(Wording shell) {
        return shell == Wording.ASH ? 143 : 124;
    }
}
