package dev.pitwall.store.secret;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import static dev.pitwall.store.secret.SystemLibrary.INT;
import static dev.pitwall.store.secret.SystemLibrary.POINTER;

/**
 * The login keychain of macOS, as generic passwords of the service {@code dev.pitwall}. The status numbers are those of
 * SecBase.h.
 */
final class MacKeychain implements Keyring {
    private static final int NOT_FOUND = -25300;
    private static final int DUPLICATE = -25299;
    private static final int CANCELLED = -128;
    private static final int NO_INTERACTION = -25308;
    private static final int WRONG_PASSWORD = -25293;

    private final SystemLibrary.Function find;
    private final SystemLibrary.Function add;
    private final SystemLibrary.Function modify;
    private final SystemLibrary.Function delete;
    private final SystemLibrary.Function freeContent;
    private final SystemLibrary.Function release;

    MacKeychain() throws KeyringException {
        SystemLibrary security = SystemLibrary.load("/System/Library/Frameworks/Security.framework/Security",
                "macOS's Security framework could not be loaded");
        SystemLibrary core = SystemLibrary.load("/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation",
                "macOS's CoreFoundation framework could not be loaded");
        find = security.function("SecKeychainFindGenericPassword",
                FunctionDescriptor.of(INT, POINTER, INT, POINTER, INT, POINTER, POINTER, POINTER, POINTER));
        add = security.function("SecKeychainAddGenericPassword",
                FunctionDescriptor.of(INT, POINTER, INT, POINTER, INT, POINTER, INT, POINTER, POINTER));
        modify = security.function("SecKeychainItemModifyAttributesAndData",
                FunctionDescriptor.of(INT, POINTER, POINTER, INT, POINTER));
        delete = security.function("SecKeychainItemDelete", FunctionDescriptor.of(INT, POINTER));
        freeContent = security.function("SecKeychainItemFreeContent", FunctionDescriptor.of(INT, POINTER, POINTER));
        release = core.function("CFRelease", FunctionDescriptor.ofVoid(POINTER));
    }

    @Override
    public String name() {
        return "the macOS keychain";
    }

    @Override
    public Optional<String> get(String key) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocate(INT);
            MemorySegment data = arena.allocate(POINTER);
            Bytes service = Bytes.of(arena, SERVICE);
            Bytes account = Bytes.of(arena, key);
            int status = find.number(MemorySegment.NULL, service.length(), service.start(), account.length(),
                    account.start(), length, data, MemorySegment.NULL);
            if (status == NOT_FOUND) {
                return Optional.empty();
            }
            refuse(status);
            MemorySegment content = data.get(POINTER, 0);
            try {
                byte[] secret = SystemLibrary.bytes(content, length.get(INT, 0));
                return Optional.of(new String(secret, StandardCharsets.UTF_8));
            } finally {
                freeContent.number(MemorySegment.NULL, content);
            }
        }
    }

    @Override
    public void put(String key, String secret) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            Bytes service = Bytes.of(arena, SERVICE);
            Bytes account = Bytes.of(arena, key);
            Bytes content = Bytes.of(arena, secret);
            int status = add.number(MemorySegment.NULL, service.length(), service.start(), account.length(),
                    account.start(), content.length(), content.start(), MemorySegment.NULL);
            if (status != DUPLICATE) {
                refuse(status);
                return;
            }
            MemorySegment item = item(arena, key).orElseThrow(() -> KeyringException.refused("the macOS keychain refused"));
            try {
                refuse(modify.number(item, MemorySegment.NULL, content.length(), content.start()));
            } finally {
                release.call(item);
            }
        }
    }

    @Override
    public void remove(String key) throws KeyringException {
        try (Arena arena = Arena.ofConfined()) {
            Optional<MemorySegment> item = item(arena, key);
            if (item.isPresent()) {
                try {
                    refuse(delete.number(item.get()));
                } finally {
                    release.call(item.get());
                }
            }
        }
    }

    private Optional<MemorySegment> item(Arena arena, String key) throws KeyringException {
        MemorySegment item = arena.allocate(POINTER);
        Bytes service = Bytes.of(arena, SERVICE);
        Bytes account = Bytes.of(arena, key);
        int status = find.number(MemorySegment.NULL, service.length(), service.start(), account.length(),
                account.start(), MemorySegment.NULL, MemorySegment.NULL, item);
        if (status == NOT_FOUND) {
            return Optional.empty();
        }
        refuse(status);
        return Optional.of(item.get(POINTER, 0));
    }

    private static void refuse(int status) throws KeyringException {
        switch (status) {
            case 0 -> { }
            case CANCELLED -> throw KeyringException.refused("the keychain's question was declined");
            case NO_INTERACTION -> throw KeyringException.refused("the macOS keychain is locked and nobody can be asked here");
            case WRONG_PASSWORD -> throw KeyringException.refused("the macOS keychain did not accept the password");
            default -> throw KeyringException.refused("the macOS keychain refused (status " + status + ")");
        }
    }

    private record Bytes(MemorySegment start, int length) {
        static Bytes of(Arena arena, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return new Bytes(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), bytes.length);
        }
    }
}
