package dev.pitwall.store.secret;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A shared library of the operating system and its functions. It stays loaded for the life of the process. */
@SuppressWarnings("restricted")
final class SystemLibrary {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private final String name;
    private final SymbolLookup symbols;

    private SystemLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /** @param missing what to say where the library is not installed */
    static SystemLibrary load(String name, String missing) throws KeyringException {
        try {
            return new SystemLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw KeyringException.absent(missing, e);
        }
    }

    /** Address of a function, to be handed to another one. */
    MemorySegment address(String function) throws KeyringException {
        return symbols.find(function)
                .orElseThrow(() -> KeyringException.absent(name + " is too old: it has no " + function, null));
    }

    Function function(String function, FunctionDescriptor shape, Linker.Option... options) throws KeyringException {
        return new Function(Linker.nativeLinker().downcallHandle(address(function), shape, options));
    }

    /** One function. The caller knows its C signature; a mismatch is a bug, not a condition. */
    record Function(MethodHandle handle) {

        int number(Object... arguments) {
            return (int) call(arguments);
        }

        MemorySegment pointer(Object... arguments) {
            return (MemorySegment) call(arguments);
        }

        Object call(Object... arguments) {
            try {
                return handle.invokeWithArguments(arguments);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("a call into the system failed", e);
            }
        }
    }

    /** Text at an address that C gave, up to its end mark. */
    static String text(MemorySegment address) {
        return address.reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** So many bytes at an address that C gave, as UTF-8. */
    static byte[] bytes(MemorySegment address, long length) {
        return address.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** An address that C gave, seen as a structure of a known size. */
    static MemorySegment structure(MemorySegment address, long size) {
        return address.reinterpret(size);
    }
}
