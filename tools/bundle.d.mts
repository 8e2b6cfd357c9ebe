export const BUNDLED: readonly string[];
