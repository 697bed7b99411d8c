package dev.pitwall.journey.run;

import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Ends a process in the middle: the n-th time that something is about to be written or made, or has just been. */
final class Death {
    private static final Set<String> WRITES = Set.of("begin", "add", "starting", "ended", "close", "run", "write", "send",
            "await");

    private final int at;
    private int points;
    private boolean dead;

    Death(int at) {
        this.at = at;
    }

    /** Nothing catches it, as nothing outlives a process. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    boolean happened() {
        return dead;
    }

    private void point() {
        if (dead || ++points == at) {
            dead = true;
            throw new Killed();
        }
    }

    Journal of(Journal journal) {
        return around(Journal.class, journal);
    }

    Machine of(Machine machine) {
        return around(Machine.class, machine);
    }

    Proxmox of(Proxmox proxmox) {
        return around(Proxmox.class, proxmox);
    }

    private <T> T around(Class<T> port, T real) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
            boolean writes = WRITES.contains(method.getName()) && !(port == Journal.class && method.getName().equals("run"));
            if (writes) {
                point();
            }
            Object result;
            try {
                result = method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (writes) {
                point();
            }
            return result;
        }));
    }
}
