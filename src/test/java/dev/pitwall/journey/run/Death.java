package dev.pitwall.journey.run;

import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.SystemsAround;
import dev.pitwall.journey.Talos;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Ends a process in the middle: when something is about to be written or made, or has just been. */
public final class Death {
    private static final Set<String> WRITES = Set.of("begin", "add", "starting", "ended", "close", "run", "write", "send",
            "await", "create", "patch", "delete", "evict", "install", "upgrade", "uninstall", "abandon", "post", "setConfig",
            "reboot");

    private final Predicate<String> fatal;
    private boolean dead;

    private Death(Predicate<String> fatal) {
        this.fatal = fatal;
    }

    /** At the n-th point, counted from 1. */
    public static Death at(int n) {
        int[] points = {0};
        return new Death(point -> ++points[0] == n);
    }

    /** At the first point of this sort, for example {@code before install …}. */
    static Death when(Predicate<String> point) {
        return new Death(point);
    }

    /**
     * At the first write that has just been made, or entry of the journal that has just been written, of which nobody has
     * died yet.
     *
     * @param before of what processes before this one have died; grows
     */
    public static Death afterAnyBut(Set<String> before) {
        return new Death(point -> point.startsWith("after ") && before.add(point));
    }

    /** Nothing catches it, as nothing outlives a process. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    public boolean happened() {
        return dead;
    }

    private void point(String what) {
        if (dead || fatal.test(what)) {
            dead = true;
            throw new Killed();
        }
    }

    public Journal of(Journal journal) {
        return around(Journal.class, journal);
    }

    Machine of(Machine machine) {
        return around(Machine.class, machine);
    }

    Proxmox of(Proxmox proxmox) {
        return around(Proxmox.class, proxmox);
    }

    public Systems of(Systems systems) {
        return new SystemsAround(systems) {
            @Override
            protected Machine around(Machine machine) {
                return Death.this.of(machine);
            }

            @Override
            protected Proxmox around(Proxmox api, String node) {
                return Death.this.of(api);
            }

            @Override
            protected Cluster around(Cluster cluster) {
                return Death.this.around(Cluster.class, cluster);
            }

            @Override
            protected Helm around(Helm helm) {
                return Death.this.around(Helm.class, helm);
            }

            @Override
            protected Talos around(Talos talos) {
                return Death.this.around(Talos.class, talos);
            }

            @Override
            protected ImageFactory around(ImageFactory factory) {
                return Death.this.around(ImageFactory.class, factory);
            }

            @Override
            public void close() {
                systems.close();
            }
        };
    }

    private <T> T around(Class<T> port, T real) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
            boolean writes = WRITES.contains(method.getName()) && !(port == Journal.class && method.getName().equals("run"))
                    && !(port == Proxmox.class && asksGuest(arguments)) && !(port == Machine.class && reads(method))
                    && !(arguments != null && Arrays.asList(arguments).contains(Cluster.Earnest.TRY));
            String what = writes ? method.getName() + " " + words(arguments) : "";
            if (writes) {
                point("before " + what);
            }
            Object result;
            try {
                result = method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (writes) {
                point("after " + what);
            }
            return result;
        }));
    }

    /** The short form of a command is for reads. */
    private static boolean reads(Method method) {
        return method.getName().equals("run") && method.getParameterCount() == 1;
    }

    /** What its agent is asked changes nothing. */
    private static boolean asksGuest(Object[] arguments) {
        return arguments[0] instanceof Proxmox.Call call && call.path().contains("/agent/");
    }

    /** What tells one write from another: no times, and no number of a task, which is another one each time. */
    private static String words(Object[] arguments) {
        return Arrays.stream(arguments).map(a -> switch (a) {
            case Proxmox.Call call -> call.method() + " " + call.path();
            case List<?> list when list.stream().allMatch(String.class::isInstance) -> list.toString();
            case Integer position -> "change " + position;
            case Enum<?> state -> state.name();
            case String text when text.startsWith("UPID:") -> "task";
            case String text -> text;
            default -> "";
        }).filter(text -> !text.isEmpty()).collect(Collectors.joining(" "));
    }
}
