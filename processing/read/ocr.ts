import type { Page } from '../page.ts';
import type { Grey } from '../picture/pixels.ts';
import { turnedRound } from '../picture/pixels.ts';
import { turnedRound as turnedRegion } from '../picture/rectangle.ts';
import { detect } from './ocr/detect.ts';
import { isUpsideDown } from './ocr/direction.ts';
import { linesIn } from './ocr/lines.ts';
import { loadCharacters, loadModel } from './ocr/models.ts';
import { transcribe } from './ocr/transcribe.ts';

/** A page that was read, with boxes in the pixels of its picture, turned by 180° where that is upside down. */
export type Recognised = Readonly<{ read: Page; isUpsideDown: boolean }>;

/** Recognises the text of straightened pictures, one at a time; its models are loaded with the first. */
export type Recogniser = Readonly<{
  /** The lines of a picture; none without text. */
  recognise(picture: Grey, fileId: string, page: number): Promise<Recognised>;
}>;

/** A recogniser with its own models, which computes in the thread that calls it. */
export const createRecogniser = (): Recogniser => {
  let loaded: ReturnType<typeof load> | null = null;
  return {
    recognise: async (picture, fileId, page) => {
      loaded ??= load();
      const { detection, direction, transcription, characters } = await loaded;
      const found = await detect(picture, detection);
      const turned = await isUpsideDown(picture, found, direction);
      const upright = turned ? turnedRound(picture) : picture;
      const regions = turned ? found.map((region) => turnedRegion(region, picture)) : found;
      const texts = [];
      for (const region of regions)
        texts.push({ region, ...(await transcribe(upright, region, transcription, characters)) });
      const { width, height } = picture;
      const lines = linesIn(texts, { fileId, page, size: { width, height } });
      return { read: { fileId, number: page, lines }, isUpsideDown: turned };
    },
  };
};

const load = async () => ({
  detection: await loadModel('detection'),
  direction: await loadModel('direction'),
  transcription: await loadModel('transcription'),
  characters: await loadCharacters(),
});
