"""The mathematics of Trustscope, vectorised: numbers and tables in, numbers and tables out."""
