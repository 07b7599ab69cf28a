import type { Line, Page } from '../page.ts';
import type { Grey } from '../picture/pixels.ts';
import { turnedRound } from '../picture/pixels.ts';
import { turnedRound as turnedRegion } from '../picture/rectangle.ts';
import { detect } from './ocr/detect.ts';
import { isUpsideDown } from './ocr/direction.ts';
import { linesIn, type Text } from './ocr/lines.ts';
import { modelFiles } from './ocr/modelFiles.ts';
import { loadCharacters, loadModel, type Model } from './ocr/models.ts';
import { transcribe } from './ocr/transcribe.ts';

/** A page that was read; boxes are in pixels of its picture, turned by 180° where that is upside down. */
export type Recognised = Readonly<{ read: Page; isUpsideDown: boolean }>;

/** Called with the lines of a text, one or none. */
export type OnText = (lines: readonly Line[]) => void;

/** Recognises the text of straightened pictures, one at a time; its models are loaded with the first. */
export type Recogniser = Readonly<{
  /** The lines of a picture; none without text. `onText` is called with what each text that was read says. */
  recognise(picture: Grey, fileId: string, page: number, onText?: OnText): Promise<Recognised>;
}>;

/** What a recogniser reads with: its models, and the characters that the transcription tells apart. */
export type Models = Readonly<{
  detection: Model;
  direction: Model;
  transcription: Model;
  characters: readonly string[];
}>;

/** Loads those of a folder, or the shipped ones (null). Throws as `modelFiles` does. */
export const loadModels = async (folder: string | null): Promise<Models> => {
  const files = modelFiles(folder);
  return {
    detection: await loadModel(files.detection),
    direction: await loadModel(files.direction),
    transcription: await loadModel(files.transcription),
    characters: await loadCharacters(files.dictionary),
  };
};

/** A recogniser with its own models, which computes in the thread that calls it. */
export const createRecogniser = (load: () => Promise<Models> = () => loadModels(null)): Recogniser => {
  let loaded: Promise<Models> | null = null;
  return {
    recognise: async (picture, fileId, page, onText) => {
      loaded ??= load();
      const { detection, direction, transcription, characters } = await loaded;
      const found = await detect(picture, detection);
      const turned = await isUpsideDown(picture, found, direction);
      const upright = turned ? turnedRound(picture) : picture;
      const regions = turned ? found.map((region) => turnedRegion(region, picture)) : found;
      const { width, height } = picture;
      const sheet = { fileId, page, size: { width, height } };
      const texts: Text[] = [];
      for (const region of regions) {
        const text = { region, ...(await transcribe(upright, region, transcription, characters)) };
        texts.push(text);
        onText?.(linesIn([text], sheet));
      }
      const lines = linesIn(texts, sheet);
      return { read: { fileId, number: page, lines }, isUpsideDown: turned };
    },
  };
};
