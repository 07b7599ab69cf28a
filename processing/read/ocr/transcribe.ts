import { levelled } from '../../picture/level.ts';
import type { Grey } from '../../picture/pixels.ts';
import type { Rectangle } from '../../picture/rectangle.ts';
import { type Character, charactersOf } from './ctc.ts';
import type { Model, Tensor } from './models.ts';

/** The height of the pictures of lines that the model was trained on, and the least width of ours. */
const HEIGHT = 48;
const MIN_WIDTH = 48;
/** Lines are made so much narrower: blanks are missed less often, and time falls with the width. */
const NARROWED = 0.85;
const WIDTH_STEP = 8;
const MAX_WIDTH = 2_400;
const PADDING = 16;

/** Its characters; a step is `pitch` pixels of the picture wide. */
export type Transcript = Readonly<{ characters: readonly Character[]; pitch: number }>;

/** What a rectangle of a picture says. */
export const transcribe = async (
  picture: Grey,
  rectangle: Rectangle,
  model: Model,
  characters: readonly string[],
): Promise<Transcript> => {
  const scale = (HEIGHT / rectangle.height) * NARROWED;
  const width = Math.min(MAX_WIDTH, Math.max(1, Math.round(rectangle.width * scale)));
  const line = levelled(picture, rectangle, { width, height: HEIGHT });
  const { data, sides } = await model(asTensor(line));
  if (sides[2] !== characters.length + 1)
    throw new TypeError(
      `the recognition tells ${sides[2]} characters apart, and its dictionary has ${characters.length}`,
    );
  return {
    characters: charactersOf(data, characters),
    pitch: paddedWidth(width) / (sides[1] ?? 1) / (width / rectangle.width),
  };
};

const paddedWidth = (width: number): number =>
  Math.max(MIN_WIDTH, Math.ceil((width + PADDING) / WIDTH_STEP) * WIDTH_STEP);

/** A line as the model takes it: from -1, black, to 1, three times the same; what follows it is 0. */
export const asTensor = ({ data, width, height }: Grey, padded = paddedWidth(width)): Tensor => {
  const values = new Float32Array(3 * padded * height);
  for (let channel = 0; channel < 3; channel += 1)
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        values[(channel * height + y) * padded + x] = (data[y * width + x] ?? 0) / 127.5 - 1;
  return { data: values, sides: [1, 3, height, padded] };
};
