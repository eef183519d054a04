import type { Effects } from './effects-type.ts'

/** The settings of variables. */
export const variableEffects: Effects = {
  'setComputerVariable, setGroupVariable': {
    value: 'variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
    schedule:
      'variables/inheritance.test.ts: a value from any source is without effect before the time of its schedule',
  },
  setGroupVariable: {
    forced: 'variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
  },
  'createComputerCollectionEntry, updateComputerCollectionEntry, createGroupCollectionEntry, updateGroupCollectionEntry':
    {
      values: 'channels/agent/work-variables.test.ts: the nearest owner of entries decides the whole collection',
    },
  assignGroupVariableConfiguration: {
    configId: 'variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
  },
}
