// The processes of `--fronts` under test: an engine, and fronts that follow it, each on a port of its own.
import { Overround } from './overround.js';

export interface Fronts {
  engine: Overround;
  fronts: Overround[];
  stop(): Promise<void>;
}

/** An engine, free to use every core, and fronts on one, or (null) as free. */
export async function startFronts(dataDir: string, count: number, core: number | null): Promise<Fronts> {
  const engine = await Overround.start({ dataDir, core: null, flags: ['--as', 'engine'] });
  const fronts: Overround[] = [];
  for (let i = 0; i < count; i++) fronts.push(await startFront(dataDir, engine, core));
  return {
    engine,
    fronts,
    stop: async () => {
      await Promise.all(fronts.map((front) => front.stop()));
      await engine.stop();
    },
  };
}

export function startFront(dataDir: string, engine: Overround, core: number | null): Promise<Overround> {
  return Overround.start({ dataDir, core, engine, flags: ['--as', 'front'] });
}
