package dev.pitwall.store.secret;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A keyring that never takes longer than its limit. A call into the system cannot be interrupted, so each one runs in a
 * thread of its own: a daemon, so that a call that never returns does not keep the process. For one caller at a time.
 */
final class PatientKeyring implements Keyring {
    private final Keyring keyring;
    private final Duration limit;

    /** @param limit long enough for a person to type the keyring's password */
    PatientKeyring(Keyring keyring, Duration limit) {
        this.keyring = keyring;
        this.limit = limit;
    }

    @Override
    public Optional<String> get(String key) throws KeyringException {
        return inTime(() -> keyring.get(key));
    }

    @Override
    public void put(String key, String secret) throws KeyringException {
        inTime(() -> {
            keyring.put(key, secret);
            return true;
        });
    }

    @Override
    public void remove(String key) throws KeyringException {
        inTime(() -> {
            keyring.remove(key);
            return true;
        });
    }

    @Override
    public String name() {
        return keyring.name();
    }

    private <T> T inTime(Callable<T> call) throws KeyringException {
        try {
            FutureTask<T> task = new FutureTask<>(call);
            Thread.ofPlatform().daemon().name("keyring").start(task);
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            keyring.cancel();
            throw KeyringException.silent("the keyring did not answer in " + limit.toSeconds()
                    + " s: it may wait for you to unlock it");
        } catch (InterruptedException e) {
            keyring.cancel();
            Thread.currentThread().interrupt();
            throw KeyringException.refused("the wait for the keyring was cut short");
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case KeyringException known -> known;
                case Throwable bug -> KeyringException.refused("the keyring could not be asked", bug);
            };
        }
    }
}
