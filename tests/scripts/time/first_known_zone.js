// Tries names of time zones until the server knows one; says which it didn't know.
const unknown = [];
for (const timezone of args) {
  try {
    const { timezone: found, datetime } = await tools.time.get_current_time({ timezone });
    const isTime = !Number.isNaN(new Date(datetime).valueOf());
    return { found, isTime, unknown };
  } catch (error) {
    if (!(error instanceof ToolError) || !/Invalid timezone/.test(error.output)) throw error;
    unknown.push(timezone);
  }
}
return { found: null, unknown };
