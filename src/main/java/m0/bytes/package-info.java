/**
 * Octets and what every layer needs to read and hold them: character tables, strict numbers, spans,
 * a growable array.
 *
 * <p>It knows no protocol and no channel. Everything above uses it. Static look-ups may be called
 * from any thread; a buffer belongs to one at a time. Start at {@link m0.bytes.Ascii}.
 */
package m0.bytes;
