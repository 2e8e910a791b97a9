/** What a process of the benchmarks does that measures the walks of one line: it warms up, walks, and reports CPU time. */

export const key = "re_bench"

const { BASE_URL = "", PREFETCH = "0", SIZE = "0", WALKS = "0", WARMUPS = "0" } = process.env

export const baseUrl = BASE_URL

/** Reports the median of the walks, in milliseconds. */
export const report = async (walk: (options: { readonly prefetch: number }) => Promise<number>): Promise<void> => {
  const samples: Array<number> = []
  for (let number = -Number(WARMUPS); number < Number(WALKS); number++) {
    const before = process.cpuUsage()
    const count = await walk({ prefetch: Number(PREFETCH) })
    const { system, user } = process.cpuUsage(before)
    if (count !== Number(SIZE)) throw new Error(`${count} items instead of ${SIZE}`)
    if (number >= 0) samples.push((system + user) / 1000)
  }
  samples.sort((one, other) => one - other)
  process.send?.(samples[samples.length >> 1]!, () => process.exit())
}
