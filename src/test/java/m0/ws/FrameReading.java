package m0.ws;

import java.util.List;

/**
 * What became of an input.
 *
 * @param position bytes consumed
 * @param ended whether nothing more would be read
 */
record FrameReading(List<String> events, int position, boolean ended) {
    /** Reads {@code input} up to each of {@code ends} in turn. */
    static FrameReading of(byte[] input, int... ends) {
        return of(new MessageReader(FrameCase.MESSAGE_BYTES_MAX), input, ends);
    }

    static FrameReading of(MessageReader reader, byte[] input, int... ends) {
        var transcript = new Transcript();
        int position = 0;
        for (int end : ends) {
            if (position < end) {
                position = reader.read(input, position, end, 0, transcript);
            }
        }
        return new FrameReading(transcript.events, position, reader.isEnded());
    }

    static FrameReading byteByByte(byte[] input) {
        int[] ends = new int[input.length];
        for (int index = 0; index < ends.length; index++) {
            ends[index] = index + 1;
        }
        return of(input, ends);
    }
}
