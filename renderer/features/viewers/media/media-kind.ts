/** Number of bytes at the beginning that are enough to tell a playlist from sound and video. */
export const playlistHeadBytes = 512;

/**
 * Returns true if a file begins like a playlist (M3U8, PLS, ASX). Chromium plays HLS playlists under any file name, and would
 * fetch the addresses in the playlist.
 */
export function isPlaylist(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, playlistHeadBytes));
  // Some readers skip a byte order mark, spaces and line breaks.
  return /^(?:\u00EF\u00BB\u00BF)?[\s\0]*(?:#EXTM3U|#EXT-X-|\[playlist\]|<asx\b)/iu.test(text);
}

/** Returns the HTML element to play a file of this name. */
export function mediaElementFor(name: string): 'audio' | 'video' {
  return /\.(?:mp3|m4a|aac|ogg|oga|opus|weba|wav|flac)$/i.test(name) ? 'audio' : 'video';
}
