import { problem } from '../../platform/problem.ts'

export const rolloutNotFound = problem(
  'RolloutNotFound',
  404,
  'No rollout has this id. Rollouts are deleted some time after they end.',
)

export const noComputersInGroup = problem(
  'NoComputersInGroup',
  409,
  'Neither the group nor a group below it has computers.',
)

export const packageNotAssignedToGroup = problem(
  'PackageNotAssigned',
  409,
  'The package is assigned neither to the group nor to a group above or below it. Assign it first: a rollout brings what is assigned.',
)

export const nothingAssigned = problem(
  'NothingAssigned',
  409,
  'No software is assigned to the group or to a group above or below it. Assign some first: a rollout brings what is assigned.',
)

export const ringTooLarge = problem(
  'RingTooLarge',
  409,
  'The ring would touch a larger share of the fleet within an hour than the service allows. Make it smaller, or release it over more time.',
)

export const lastOfSite = problem(
  'LastOfSite',
  409,
  'The ring contains every computer of a site with this protected role. Put them into different rings, or allow it.',
)

export const rolloutEnded = problem('RolloutEnded', 409, 'The rollout has ended or was cancelled.')

export const rolloutPaused = problem('RolloutPaused', 409, 'The rollout is paused already.')

export const rolloutNotPaused = problem('RolloutNotPaused', 409, 'The rollout is not paused.')

export const noRingToFinish = problem('NoRingToFinish', 409, 'All rings of the rollout are done already.')

export const nothingFailed = problem('NothingFailed', 409, 'No computer of the rollout has failed.')

export const ringBegun = problem('RingBegun', 409, 'The ring has begun. Only rings that wait can be changed.')

export const waitsForApproval = problem(
  'WaitsForApproval',
  409,
  'The wave removes software from more computers than may lose it without an approval. Resume it: the request then waits for one.',
)
