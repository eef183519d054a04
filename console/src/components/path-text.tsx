import { Fragment } from 'react'

/** A path of groups, which may break after each name. */
export function PathText({ path }: { path: string }) {
  const names = path.split('/')
  return names.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a path has the same name at several levels
    <Fragment key={index}>
      {name}
      {index < names.length - 1 && (
        <>
          /<wbr />
        </>
      )}
    </Fragment>
  ))
}
