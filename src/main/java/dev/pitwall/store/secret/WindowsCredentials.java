package dev.pitwall.store.secret;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import static dev.pitwall.store.secret.SystemLibrary.INT;
import static dev.pitwall.store.secret.SystemLibrary.POINTER;

/**
 * The Credential Manager of Windows: generic credentials {@code dev.pitwall/…} of this user on this computer. Names and
 * numbers are those of wincred.h.
 */
final class WindowsCredentials implements Keyring {
    private static final int GENERIC = 1;
    private static final int LOCAL_MACHINE = 2;
    private static final int NOT_FOUND = 1168;

    /** CRED_MAX_CREDENTIAL_BLOB_SIZE, bytes. */
    private static final int LARGEST = 5 * 512;

    /** CREDENTIALW of 64-bit Windows. */
    private static final StructLayout CREDENTIAL = MemoryLayout.structLayout(
            INT.withName("Flags"), INT.withName("Type"), POINTER.withName("TargetName"), POINTER.withName("Comment"),
            MemoryLayout.sequenceLayout(2, INT).withName("LastWritten"), INT.withName("CredentialBlobSize"),
            MemoryLayout.paddingLayout(4), POINTER.withName("CredentialBlob"), INT.withName("Persist"),
            INT.withName("AttributeCount"), POINTER.withName("Attributes"), POINTER.withName("TargetAlias"),
            POINTER.withName("UserName"));

    private static final StructLayout STATE = Linker.Option.captureStateLayout();

    private final SystemLibrary.Function read;
    private final SystemLibrary.Function write;
    private final SystemLibrary.Function delete;
    private final SystemLibrary.Function free;
    private final VarHandle lastError;

    WindowsCredentials() throws KeyringException {
        SystemLibrary library = SystemLibrary.load("Advapi32.dll", "Windows's Credential Manager could not be loaded");
        Linker.Option error = Linker.Option.captureCallState("GetLastError");
        read = library.function("CredReadW", FunctionDescriptor.of(INT, POINTER, INT, INT, POINTER), error);
        write = library.function("CredWriteW", FunctionDescriptor.of(INT, POINTER, INT), error);
        delete = library.function("CredDeleteW", FunctionDescriptor.of(INT, POINTER, INT, INT), error);
        lastError = STATE.varHandle(MemoryLayout.PathElement.groupElement("GetLastError"));
        free = library.function("CredFree", FunctionDescriptor.ofVoid(POINTER));
    }

    @Override
    public String name() {
        return "the Windows Credential Manager";
    }

    @Override
    public Optional<String> get(String key) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment found = arena.allocate(POINTER);
            if (read.number(state, target(arena, key), GENERIC, 0, found) == 0) {
                refuseUnlessMissing(state);
                return Optional.empty();
            }
            MemorySegment credential = SystemLibrary.structure(found.get(POINTER, 0), CREDENTIAL.byteSize());
            try {
                int size = credential.get(INT, offset("CredentialBlobSize"));
                byte[] secret = SystemLibrary.bytes(credential.get(POINTER, offset("CredentialBlob")), size);
                return Optional.of(new String(secret, StandardCharsets.UTF_8));
            } finally {
                free.call(credential);
            }
        }
    }

    @Override
    public void put(String key, String secret) throws KeyringException {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LARGEST) {
            throw KeyringException.refused("the Windows Credential Manager keeps at most " + LARGEST + " bytes a secret");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment credential = arena.allocate(CREDENTIAL);
            credential.set(INT, offset("Type"), GENERIC);
            credential.set(POINTER, offset("TargetName"), target(arena, key));
            credential.set(INT, offset("CredentialBlobSize"), bytes.length);
            credential.set(POINTER, offset("CredentialBlob"), arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
            credential.set(INT, offset("Persist"), LOCAL_MACHINE);
            credential.set(POINTER, offset("UserName"), arena.allocateFrom("Pitwall", StandardCharsets.UTF_16LE));
            if (write.number(state, credential, 0) == 0) {
                throw refused(state);
            }
        }
    }

    @Override
    public void remove(String key) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            if (delete.number(state, target(arena, key), GENERIC, 0) == 0) {
                refuseUnlessMissing(state);
            }
        }
    }

    private static MemorySegment target(Arena arena, String key) {
        return arena.allocateFrom(SERVICE + "/" + key, StandardCharsets.UTF_16LE);
    }

    private static long offset(String field) {
        return CREDENTIAL.byteOffset(MemoryLayout.PathElement.groupElement(field));
    }

    private void refuseUnlessMissing(MemorySegment state) throws KeyringException {
        if (lastError(state) != NOT_FOUND) {
            throw refused(state);
        }
    }

    private KeyringException refused(MemorySegment state) {
        return KeyringException.refused("the Windows Credential Manager refused (error " + lastError(state) + ")");
    }

    private int lastError(MemorySegment state) {
        return (int) lastError.get(state, 0L);
    }
}
