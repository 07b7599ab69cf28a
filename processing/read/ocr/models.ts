import { readFile } from 'node:fs/promises';

/** Numbers in a grid whose first side is that of pictures. */
export type Tensor = Readonly<{ data: Float32Array; sides: readonly number[] }>;
/** A model that is loaded: what it makes of a tensor. */
export type Model = (input: Tensor) => Promise<Tensor>;

/** Loads a model, which computes in the thread that calls it and keeps no memory between two runs. */
export const loadModel = async (path: string): Promise<Model> => {
  const { InferenceSession, Tensor: OnnxTensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async ({ data, sides }) => {
    const results = await session.run({ [input]: new OnnxTensor('float32', data, sides) });
    const result = results[output];
    if (!(result?.data instanceof Float32Array)) throw new TypeError(`${path} gave no numbers`);
    return { data: result.data, sides: result.dims };
  };
};

/**
 * The characters that the transcription tells apart, by its numbers less one: 0 is none. A dictionary may
 * hold white space other than the blank, which is last and never in it.
 */
export const loadCharacters = async (dictionary: string): Promise<readonly string[]> => [
  ...(await readFile(dictionary, 'utf8')).replace(/\r?\n$/, '').split(/\r?\n/),
  ' ',
];
