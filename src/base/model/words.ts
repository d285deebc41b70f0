// Long lists of words, written as the text that they are read as.

export const words = (text: string): string[] => text.trim().split(/\s+/);
