package dev.pitwall.store.secret;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import static dev.pitwall.store.secret.SystemLibrary.INT;
import static dev.pitwall.store.secret.SystemLibrary.POINTER;

/**
 * The Secret Service of a Linux desktop (GNOME Keyring, KWallet, KeePassXC), through libsecret. Entries can be seen
 * with {@code secret-tool search service dev.pitwall}.
 */
final class LibSecret implements Keyring {
    /** GError: a 32-bit domain, a 32-bit code, a pointer to the message. */
    private static final long ERROR_SIZE = 16;
    private static final long ERROR_MESSAGE = 8;

    /** SECRET_SEARCH_NONE. */
    private static final int SEARCH_WITHOUT_UNLOCKING = 0;

    /** The collection the desktop unlocks at login. */
    private static final String COLLECTION = "default";

    private final MemorySegment hash;
    private final MemorySegment equal;
    private final SystemLibrary.Function newTable;
    private final SystemLibrary.Function insert;
    private final SystemLibrary.Function freeTable;
    private final SystemLibrary.Function freeError;
    private final SystemLibrary.Function nameOf;
    private final SystemLibrary.Function newCancellable;
    private final SystemLibrary.Function cancelCall;
    private final SystemLibrary.Function release;
    private final SystemLibrary.Function lookup;
    private final SystemLibrary.Function store;
    private final SystemLibrary.Function clear;
    private final SystemLibrary.Function freeSecret;
    private final SystemLibrary.Function search;
    private final SystemLibrary.Function freeList;
    private final MemorySegment releaseAddress;

    /** Guards {@link #inProgress}: a call that just ends must not be cancelled after its cancellable is gone. */
    private final ReentrantLock cancelling = new ReentrantLock();
    private MemorySegment inProgress = MemorySegment.NULL;

    LibSecret() throws KeyringException {
        SystemLibrary secret = SystemLibrary.load("libsecret-1.so.0",
                "libsecret is not installed (Debian, Ubuntu: libsecret-1-0; Fedora, Arch: libsecret)");
        SystemLibrary glib = SystemLibrary.load("libglib-2.0.so.0", "GLib is not installed");
        SystemLibrary gobject = SystemLibrary.load("libgobject-2.0.so.0", "GLib is not installed");
        SystemLibrary gio = SystemLibrary.load("libgio-2.0.so.0", "GLib is not installed");
        hash = glib.address("g_str_hash");
        equal = glib.address("g_str_equal");
        newTable = glib.function("g_hash_table_new", FunctionDescriptor.of(POINTER, POINTER, POINTER));
        insert = glib.function("g_hash_table_insert", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER));
        freeTable = glib.function("g_hash_table_unref", FunctionDescriptor.ofVoid(POINTER));
        freeError = glib.function("g_error_free", FunctionDescriptor.ofVoid(POINTER));
        nameOf = glib.function("g_quark_to_string", FunctionDescriptor.of(POINTER, INT));
        newCancellable = gio.function("g_cancellable_new", FunctionDescriptor.of(POINTER));
        cancelCall = gio.function("g_cancellable_cancel", FunctionDescriptor.ofVoid(POINTER));
        release = gobject.function("g_object_unref", FunctionDescriptor.ofVoid(POINTER));
        lookup = secret.function("secret_password_lookupv_sync",
                FunctionDescriptor.of(POINTER, POINTER, POINTER, POINTER, POINTER));
        store = secret.function("secret_password_storev_sync",
                FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER));
        clear = secret.function("secret_password_clearv_sync",
                FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, POINTER));
        freeSecret = secret.function("secret_password_free", FunctionDescriptor.ofVoid(POINTER));
        search = secret.function("secret_password_searchv_sync",
                FunctionDescriptor.of(POINTER, POINTER, POINTER, INT, POINTER, POINTER));
        freeList = glib.function("g_list_free_full", FunctionDescriptor.ofVoid(POINTER, POINTER));
        releaseAddress = gobject.address("g_object_unref");
    }

    @Override
    public String name() {
        return "the desktop's keyring (Secret Service)";
    }

    @Override
    public Optional<String> get(String key) throws KeyringException {
        return call(key, (arena, attributes, cancellable, error) -> {
            MemorySegment found = lookup.pointer(MemorySegment.NULL, attributes, cancellable, error);
            if (found.equals(MemorySegment.NULL)) {
                if (isNull(error)) {
                    refuseIfLocked(attributes, cancellable, error);
                }
                return Optional.empty();
            }
            try {
                return Optional.of(SystemLibrary.text(found));
            } finally {
                freeSecret.call(found);
            }
        });
    }

    /** A lookup whose question to unlock was declined answers as if there were no entry. */
    private void refuseIfLocked(MemorySegment attributes, MemorySegment cancellable, MemorySegment error) throws KeyringException {
        MemorySegment entries = search.pointer(MemorySegment.NULL, attributes, SEARCH_WITHOUT_UNLOCKING, cancellable, error);
        if (!entries.equals(MemorySegment.NULL)) {
            freeList.call(entries, releaseAddress);
            throw KeyringException.refused("the desktop's keyring is locked");
        }
    }

    private static boolean isNull(MemorySegment error) {
        return error.get(POINTER, 0).equals(MemorySegment.NULL);
    }

    @Override
    public void put(String key, String secret) throws KeyringException {
        if (secret.indexOf('\0') >= 0) {
            throw KeyringException.refused("the keyring cannot keep a secret with a zero byte in it");
        }
        call(key, (arena, attributes, cancellable, error) -> store.number(MemorySegment.NULL, attributes,
                arena.allocateFrom(COLLECTION), arena.allocateFrom("Pitwall: " + key), arena.allocateFrom(secret),
                cancellable, error));
    }

    @Override
    public void remove(String key) throws KeyringException {
        call(key, (arena, attributes, cancellable, error) -> clear.number(MemorySegment.NULL, attributes, cancellable, error));
    }

    @Override
    public void cancel() {
        cancelling.lock();
        try {
            if (!inProgress.equals(MemorySegment.NULL)) {
                cancelCall.call(inProgress);
            }
        } finally {
            cancelling.unlock();
        }
    }

    @FunctionalInterface
    private interface Call<T> {
        T on(Arena arena, MemorySegment attributes, MemorySegment cancellable, MemorySegment error) throws KeyringException;
    }

    private <T> T call(String key, Call<T> call) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena, key);
            MemorySegment cancellable = begin();
            MemorySegment error = arena.allocate(POINTER);
            try {
                T result = call.on(arena, attributes, cancellable, error);
                refuse(error.get(POINTER, 0));
                return result;
            } finally {
                end(cancellable);
                freeTable.call(attributes);
            }
        }
    }

    private MemorySegment begin() {
        cancelling.lock();
        try {
            inProgress = newCancellable.pointer();
            return inProgress;
        } finally {
            cancelling.unlock();
        }
    }

    private void end(MemorySegment cancellable) {
        cancelling.lock();
        try {
            inProgress = MemorySegment.NULL;
            release.call(cancellable);
        } finally {
            cancelling.unlock();
        }
    }

    /** No {@code xdg:schema}: while a keyring is locked, GNOME's finds no entry by it, and then does not ask to unlock. */
    private MemorySegment attributes(Arena arena, String key) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("service", SERVICE);
        attributes.put("key", key);
        MemorySegment table = newTable.pointer(hash, equal);
        attributes.forEach((name, value) -> insert.number(table, arena.allocateFrom(name), arena.allocateFrom(value)));
        return table;
    }

    /** GLib's messages are translated and name D-Bus internals, so they go to the log only (as the cause's text). */
    private void refuse(MemorySegment error) throws KeyringException {
        if (error.equals(MemorySegment.NULL)) {
            return;
        }
        MemorySegment structure = SystemLibrary.structure(error, ERROR_SIZE);
        String domain = SystemLibrary.text(nameOf.pointer(structure.get(INT, 0)));
        String message = SystemLibrary.text(structure.get(POINTER, ERROR_MESSAGE));
        freeError.call(error);
        throw refusal(domain, message);
    }

    private KeyringException refusal(String domain, String message) {
        Throwable detail = new IllegalStateException(domain + ": " + message);
        return switch (domain) {
            // The bus answers that it knows no keyring and cannot start one.
            case "g-dbus-error-quark" -> KeyringException.absent("no keyring runs in this desktop session", detail);
            // The bus itself: no address, no socket, nobody behind it.
            case "g-io-error-quark", "g-exec-error-quark" ->
                    KeyringException.absent("there is no desktop session (D-Bus) that a keyring could run in", detail);
            default -> KeyringException.refused("the desktop's keyring refused", detail);
        };
    }
}
