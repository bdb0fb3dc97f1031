// Works a task out in steps, keeps each as a thought at the server, branches once, and reads back how far it came.
const steps = ["Read the task", "Find two ways", "Try the first way", "Compare them", "Decide"];
let answer;
for (const [index, thought] of steps.entries()) {
  const isBranch = thought.startsWith("Try");
  answer = await tools.thinking.sequentialthinking({
    thought,
    thoughtNumber: index + 1,
    totalThoughts: steps.length - 2,
    nextThoughtNeeded: index + 1 < steps.length,
    ...(isBranch && { branchFromThought: 2, branchId: "first-way" }),
  });
}
const { thoughtNumber, totalThoughts, nextThoughtNeeded, branches } = answer;
return { thoughtNumber, totalThoughts, nextThoughtNeeded, branches };
