/** Returns the HTML element to play a file of this name. */
export function mediaElementFor(name: string): 'audio' | 'video' {
  return /\.(?:mp3|m4a|aac|ogg|oga|opus|weba|wav|flac)$/i.test(name) ? 'audio' : 'video';
}
