/** Whether this is one file with Node and the package inside, which is started without the path of a script. */
export const isSingleExecutable = process.getBuiltinModule?.('node:sea')?.isSea() ?? false;
