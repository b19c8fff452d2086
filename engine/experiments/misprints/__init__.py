"""What is misprinted or wrong in the papers, each as a function that returns the evidence as a table.

Printed forms live here alone: the rest of the engine has the right ones. Tables have the columns that the
misprint is about; where a number is measured by drawing, standard_error stands beside it. The same key gives the
same table.
"""
